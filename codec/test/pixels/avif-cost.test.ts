import { expect, test } from 'vitest'
import { AVIF_MAX_TILES } from '../../src/pixels/budget.ts'
import { codec } from '../codec.ts'
import { countRounds, roundsOf } from '../counted-codecs.ts'
import { imageOf, madeAvif } from './made-avif.ts'
import { gridOf } from './made-grid.ts'

countRounds()

test('of as many tiles as may be, alpha too, the last is as right as the first, and they cost no more each', async () => {
  const small = { width: 64, height: 64 }
  const tiles = [await madeAvif({ ...small, chroma: '4:4:4' })]
  const most = { columns: 20, rows: 20, width: 1280, height: 1280 }
  const bytes = gridOf({ ...most, tile: small, tiles, chroma: '4:4:4', alpha: true })
  const whole = await roundsOf(() => codec.pixels(imageOf(bytes), most))
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
