import type { ProbedImage, Size } from 'tintype-codec/interface'
import { animatedWebp, gif, image, jpeg, png, readTiles, tiles } from 'tintype-codec/test/images'
import { decodeJpeg } from 'tintype-codec/test/jsquash'
import { describe, expect, test } from 'vitest'
import { codec } from '../../src/image/codec.ts'
import { joinCover } from '../../src/image/cover.ts'

const SIZE = { width: 40, height: 24 }

describe('two images side by side (D35)', () => {
  test.each([
    // left, right, joined
    [
      [40, 24],
      [30, 24],
      [70, 24],
    ],
    [
      [40, 48],
      [30, 24],
      [50, 24],
    ],
    [
      [40, 24],
      [30, 48],
      [55, 24],
    ],
    // 33 * 10 / 100 is 3.3, 35 * 10 / 100 is 3.5: to the nearest.
    [
      [33, 100],
      [10, 10],
      [13, 10],
    ],
    [
      [35, 100],
      [10, 10],
      [14, 10],
    ],
    [
      [1, 1000],
      [10, 10],
      [11, 10],
    ],
    [
      [1, 1],
      [1, 1],
      [2, 1],
    ],
    [
      [1000, 1],
      [3, 300],
      [1001, 1],
    ],
  ])('%j and %j make %j', async (left, right, [width, height]) => {
    const { facts } = await joinCover(await plain(left), await plain(right))
    expect(facts).toMatchObject({
      format: 'jpeg',
      size: { width, height },
      orientation: 1,
      animated: false,
      alpha: false,
    })
  })

  test('the left image is on the left, scaled to its height', async () => {
    const joined = await joinCover(
      await jpeg(tiles(['RG', 'BW'], { width: 80, height: 48 })),
      await jpeg(tiles(['KR', 'GB'], SIZE)),
    )
    expect(readTiles(await decodeJpeg(joined.bytes), 4, 2)).toEqual(['RGKR', 'BWGB'])
  })

  test('heights are the upright ones', async () => {
    const turned = await jpeg(tiles(['RG', 'BW'], SIZE), { orientation: 6 })
    const joined = await joinCover(turned, await jpeg(tiles(['K'], { width: 24, height: 80 })))
    expect(joined.facts.size).toEqual({ width: 36, height: 40 })
    expect(readTiles(await decodeJpeg(joined.bytes), 3, 2)).toEqual(['BRK', 'WGK'])
  })
})

describe('a PNG if either may be transparent', () => {
  const clear = png(tiles(['R ', ' B'], SIZE))
  test.each<[string, () => Promise<[ProbedImage, ProbedImage]>, string[]]>([
    ['the left', async () => [clear, await plain([20, 24])], ['R K', ' BK']],
    ['the right', async () => [await plain([20, 24]), clear], ['KR ', 'K B']],
  ])('%s is', async (_, make, expected) => {
    const { bytes, facts } = await joinCover(...(await make()))
    expect(facts).toMatchObject({ format: 'png', size: { width: 60, height: 24 }, alpha: true })
    if (facts.format === 'png') expect(readTiles(await codec.pixels({ bytes, facts }), 3, 2)).toEqual(expected)
  })

  test('an opaque PNG is no reason', async () => {
    const { facts } = await joinCover(png(tiles(['R'], SIZE)), png(tiles(['B'], SIZE)))
    expect(facts.format).toBe('jpeg')
  })
})

test('of animated files the first frames are joined', async () => {
  const whole = (rows: string[]) => ({ raster: tiles(rows, SIZE), left: 0, top: 0 })
  const left = await animatedWebp(SIZE, [whole(['R ']), whole(['B'])])
  const frames = [1, 2].map((index) => ({ ...SIZE, indices: Array(SIZE.width * SIZE.height).fill(index) }))
  const { bytes, facts } = await joinCover(left, image(gif(SIZE, frames)))
  expect(facts).toMatchObject({ format: 'png', animated: false })
  if (facts.format === 'png') expect(readTiles(await codec.pixels({ bytes, facts }), 4, 1)).toEqual(['R GG'])
})

describe('rejected', () => {
  test('if one cannot be decoded', async () => {
    const good = await plain([20, 24])
    const bad = { ...good, bytes: good.bytes.subarray(0, 100) }
    await expect(joinCover(good, bad)).rejects.toMatchObject({ name: 'ImageRefusal', reason: 'unreadable' })
    await expect(joinCover(bad, good)).rejects.toMatchObject({ name: 'ImageRefusal', reason: 'unreadable' })
  })

  test.each([
    ['megapixels', { width: 5000, height: 10_000 }, { width: 5001, height: 10_000 }],
    ['pixels of width', { width: 32_768, height: 1 }, { width: 32_768, height: 1 }],
  ])('if they have too many %s together, before either is decoded', async (_, left, right) => {
    const { facts } = await plain([20, 24])
    const empty = (size: Size) => ({ bytes: new Uint8Array(), facts: { ...facts, size } })
    await expect(joinCover(empty(left), empty(right))).rejects.toMatchObject({ reason: 'over_budget' })
    await expect(joinCover(empty(left), empty({ ...left, width: 10 }))).rejects.toMatchObject({ reason: 'unreadable' })
  })
})

function plain([width = 1, height = 1]: readonly number[]): Promise<ProbedImage> {
  return jpeg(tiles(['K'], { width, height }))
}
