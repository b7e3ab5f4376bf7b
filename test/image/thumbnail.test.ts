import type { Orientation } from 'tintype-codec/interface'
import { animatedWebp, gif, image, jpeg, madeElsewhere, png, readTiles, tiles, webp } from 'tintype-codec/test/images'
import { decodeWebp } from 'tintype-codec/test/jsquash'
import { describe, expect, test } from 'vitest'
import { makeThumbnail } from '../../src/image/thumbnail.ts'

const SIZE = { width: 40, height: 24 }

describe('a thumbnail is upright (D30)', () => {
  const upright: [Orientation, string, string][] = [
    [1, 'RG', 'BW'],
    [2, 'GR', 'WB'],
    [3, 'WB', 'GR'],
    [4, 'BW', 'RG'],
    [5, 'RB', 'GW'],
    [6, 'BR', 'WG'],
    [7, 'WG', 'BR'],
    [8, 'GW', 'RB'],
  ]
  test.each(upright)('a JPEG of EXIF orientation %i shows %s over %s', async (orientation, top, bottom) => {
    const { bytes, size } = await makeThumbnail(await jpeg(tiles(['RG', 'BW'], SIZE), { orientation }), 200)
    expect(size).toEqual(orientation >= 5 ? { width: 24, height: 40 } : SIZE)
    expect(readTiles(await decodeWebp(bytes), 2, 2)).toEqual([top, bottom])
  })

  test('the box contains the upright image, whatever its orientation', async () => {
    const { size } = await makeThumbnail(
      await jpeg(tiles(['RG'], { width: 400, height: 201 }), { orientation: 6 }),
      150,
    )
    expect(size).toEqual({ width: 75, height: 150 })
  })
})

test.each([
  [
    { width: 1, height: 1 },
    { width: 1, height: 1 },
  ],
  [
    { width: 200, height: 199 },
    { width: 200, height: 199 },
  ],
  [
    { width: 201, height: 100 },
    { width: 200, height: 99 },
  ],
  [
    { width: 333, height: 1001 },
    { width: 66, height: 200 },
  ],
  [
    { width: 10000, height: 1 },
    { width: 200, height: 1 },
  ],
  [
    { width: 1, height: 10000 },
    { width: 1, height: 200 },
  ],
])('a PNG of %j gets a thumbnail of %j, and those are the sides of its bytes', async (size, expected) => {
  const thumbnail = await makeThumbnail(png(tiles(['R'], size)), 200)
  const { width, height } = await decodeWebp(thumbnail.bytes)
  expect(thumbnail.size).toEqual(expected)
  expect({ width, height }).toEqual(expected)
})

describe('every format is decoded', () => {
  const RGBW = { raster: tiles(['RG', 'BW'], SIZE), shown: ['RG', 'BW'] }
  const GIF_TILES = Array.from({ length: 40 * 24 }, (_, i) => (i < 40 * 12 ? 0 : 2) + (i % 40 < 20 ? 0 : 1))
  const CLEAR = { raster: tiles(['R ', ' W'], SIZE), shown: ['R ', ' W'] }
  test.each([
    ['JPEG', () => jpeg(RGBW.raster), RGBW.shown],
    ['CMYK JPEG', () => madeElsewhere('cmykJpeg'), ['RW', 'WK']],
    ['PNG', () => png(RGBW.raster), RGBW.shown],
    ['PNG with alpha', () => png(CLEAR.raster), CLEAR.shown],
    ['WebP', () => webp(RGBW.raster), RGBW.shown],
    ['WebP with alpha', () => webp(CLEAR.raster), CLEAR.shown],
    ['AVIF', () => madeElsewhere('avif'), RGBW.shown],
    ['AVIF of 10 bits', () => madeElsewhere('avif10Bit'), RGBW.shown],
    ['AVIF with alpha', () => madeElsewhere('avifAlpha'), ['RG', 'B ']],
    ['GIF', () => image(gif(SIZE, [{ ...SIZE, indices: GIF_TILES }])), RGBW.shown],
  ])('%s', async (_, make, shown) => {
    const { bytes } = await makeThumbnail(await make(), 200)
    expect(readTiles(await decodeWebp(bytes), 2, 2)).toEqual(shown)
  })
})

describe('the first frame of an animation, on its canvas', () => {
  test('of a WebP', async () => {
    const frame = { raster: tiles(['R'], { width: 20, height: 12 }), left: 20, top: 12 }
    const second = { raster: tiles(['B'], SIZE), left: 0, top: 0 }
    const { bytes, size } = await makeThumbnail(await animatedWebp(SIZE, [frame, second]), 200)
    expect(size).toEqual(SIZE)
    expect(readTiles(await decodeWebp(bytes), 2, 2)).toEqual(['  ', ' R'])
  })

  test('of a WebP whose first frame has alpha', async () => {
    const frame = { raster: tiles([' R'], SIZE), left: 0, top: 0 }
    const { bytes } = await makeThumbnail(await animatedWebp(SIZE, [frame, frame]), 200)
    expect(readTiles(await decodeWebp(bytes), 2, 1)).toEqual([' R'])
  })

  test('of a GIF', async () => {
    const frames = [
      { width: 8, height: 8, left: 8, top: 8, indices: Array(64).fill(1) },
      { width: 16, height: 16, indices: Array(256).fill(2) },
    ]
    const { bytes } = await makeThumbnail(image(gif({ width: 16, height: 16 }, frames)), 200)
    expect(readTiles(await decodeWebp(bytes), 2, 2)).toEqual(['  ', ' G'])
  })
})
