import '../../support/counted-codecs.ts'

import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { encodeWebp } from '../../../src/image/codecs.ts'
import { AVIF_MAX_TILES } from '../../../src/image/pixels/budget.ts'
import { roundsOf } from '../../support/counted-codecs.ts'
import { decodeTo } from '../decode-to.ts'
import { madeAvif, pictureOf } from './made-avif.ts'
import { gridOf } from './made-grid.ts'

const BOX = { width: 200, height: 200 }

test('of as many tiles as may be that the package abandons, alpha too, the last is as right as the first, and they cost no more each', async () => {
  const small = { width: 64, height: 64 }
  const tiles = [await madeAvif({ ...small, chroma: '4:4:4' })]
  const most = { columns: 20, rows: 20, width: 1280, height: 1280 }
  const bytes = gridOf({ ...most, tile: small, tiles, chroma: '4:4:4', alpha: true })
  const whole = await roundsOf(() => decodeTo(pictureOf(bytes), most))
  // A tile alone takes 380,000.
  expect(whole.rounds).toBeLessThan(2 * AVIF_MAX_TILES * 400_000)
  const { rgba, width, height } = whole.result
  const cell = (x: number, y: number) =>
    Buffer.concat(
      Array.from({ length: small.height }, (_, row) => {
        const at = ((y + row) * width + x) * 4
        return Buffer.from(rgba.subarray(at, at + small.width * 4))
      }),
    )
  const first = cell(0, 0)
  for (let y = 0; y < height; y += small.height) {
    for (let x = 0; x < width; x += small.width) expect(cell(x, y).equals(first), `at ${x}, ${y}`).toBe(true)
  }
})

describe('what needs more memory than there is, is refused at once', () => {
  test.each([
    ['of one frame', 5800, 6000],
    ['of one frame in the limit of its boxes', 6000, 5900],
  ])('%s', async (_, width, height) => {
    const blank = sharp({ create: { width, height, channels: 3, background: 'teal' } })
    const file = await blank.avif({ quality: 20, effort: 0, chromaSubsampling: '4:4:4' }).toBuffer()
    const picture = pictureOf(new Uint8Array(file))
    const { rounds } = await roundsOf(async () => {
      await expect(encodeWebp(picture, BOX, 80)).rejects.toMatchObject({ reason: 'over_budget' })
    })
    // To decode one of its megapixels takes more.
    expect(rounds).toBeLessThan(1_000_000)
  })
})
