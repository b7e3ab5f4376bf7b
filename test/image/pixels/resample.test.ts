import { describe, expect, test } from 'vitest'
import { blankRaster, type Raster } from '../../../src/image/pixels/raster.ts'
import { resample } from '../../../src/image/pixels/resample.ts'
import { noise, readTiles, tiles } from '../pictures.ts'

test('the same size gives the same picture', () => {
  const raster = noise({ width: 5, height: 4 })
  expect(resample(raster, { width: 5, height: 4 })).toBe(raster)
})

describe('a picture of one colour stays so, at any ratio', () => {
  test.each([
    [100, 80, 99, 79],
    [100, 80, 33, 80],
    [100, 80, 7, 5],
    [101, 83, 10, 3],
    [1000, 7, 3, 1],
    [4001, 1, 200, 1],
    [9, 9, 1, 1],
  ])('%i x %i to %i x %i', (width, height, newWidth, newHeight) => {
    const raster = blankRaster({ width, height })
    for (let i = 0; i < raster.rgba.length; i += 4) raster.rgba.set([10, 100, 250, 255], i)
    const { rgba } = resample(raster, { width: newWidth, height: newHeight })
    expect(new Set(rgba)).toEqual(new Set([10, 100, 250, 255]))
    expect(rgba.length).toBe(newWidth * newHeight * 4)
  })
})

test('tiles keep their places', () => {
  const rows = ['RGB', 'WKR', 'GBW']
  expect(readTiles(resample(tiles(rows, { width: 900, height: 601 }), { width: 31, height: 29 }), 3, 3)).toEqual(rows)
})

/** A slope is linear, so its centre of mass tells of a shift of even a part of a pixel. */
test.each([1.5, 2, 3.7, 4, 9, 12.3])('nothing is shifted when the picture is made %f times smaller', (ratio) => {
  const width = 600
  const raster = slope(width)
  const small = resample(raster, { width: Math.round(width / ratio), height: 1 })
  const exactRatio = width / small.width
  for (let x = 4; x < small.width - 4; x++) {
    const expected = ((x + 0.5) * exactRatio * 255) / width
    expect(Math.abs((small.rgba[x * 4] ?? 0) - expected)).toBeLessThan(1)
  }
})

test('colours of see-through pixels do not bleed into the others', () => {
  const raster = blankRaster({ width: 64, height: 8 })
  for (let i = 0; i < raster.rgba.length; i += 4)
    raster.rgba.set((i / 4) % 64 < 32 ? [255, 0, 0, 255] : [0, 255, 0, 0], i)
  const { rgba } = resample(raster, { width: 13, height: 2 })
  for (let i = 0; i < rgba.length; i += 4) if ((rgba[i + 3] ?? 0) > 8) expect([rgba[i], rgba[i + 1]]).toEqual([255, 0])
})

function slope(width: number): Raster {
  const raster = blankRaster({ width, height: 1 })
  for (let x = 0; x < width; x++) {
    const gray = ((x + 0.5) * 255) / width
    raster.rgba.set([gray, gray, gray, 255], x * 4)
  }
  return raster
}
