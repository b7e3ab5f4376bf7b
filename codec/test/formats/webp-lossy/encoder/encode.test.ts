import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { decodeYuv, newDecoder } from '../decoder/decoder.ts'
import { encode, newEncoder } from './encoder.ts'
import { madeYuv, photoYuv } from './images.ts'

const encoder = newEncoder()

test('one instance writes the same bytes for the same image, whatever came in between', async () => {
  const image = await photoYuv(200, 150, 11)
  const first = encode(newEncoder(), image, 80)
  const other = encode(encoder, await photoYuv(333, 77, 12), 95)
  expect(other.length).toBeGreaterThan(0)
  encoder.reset()
  encoder.startVp8Encoder(500, 500, 10) // abandoned
  expect(encode(encoder, image, 80).equals(first)).toBe(true)
  expect(encode(encoder, image, 80).equals(first)).toBe(true)
})

test('memory that others take between macroblock rows does no harm', () => {
  const image = madeYuv('noise', 640, 480, 9)
  const file = encode(encoder, image, 100)
  expect(file.length).toBeGreaterThan(2 * 131_072)
  expect(encode(encoder, image, 100, () => encoder.allocate(1000)).equals(file)).toBe(true)
})

test('errors are smaller in flat parts, where they are seen, than in busy ones', () => {
  const [width, height] = [256, 64]
  const image = madeYuv('flat', width, height, 3)
  const random = seededRandom(5)
  const isFlat = (i: number) => i % width < width / 2
  for (let i = 0; i < width * height; i++) image.samples[i] = 120 + (below(13, random) - 6) * (isFlat(i) ? 1 : 8)
  const file = encode(encoder, image, 98)
  const { samples } = decodeYuv(newDecoder(), file.subarray(20))
  let [flat, busy] = [0, 0]
  for (let i = 0; i < width * height; i++) {
    const square = ((samples[i] ?? 0) - (image.samples[i] ?? 0)) ** 2
    if (isFlat(i)) flat += square
    else busy += square
  }
  expect(busy / flat, 'of the squared errors in flat parts').toBeGreaterThan(2)
})

describe('a width or height is taken from 1 to 16383', () => {
  for (const [width, height, status] of [
    [0, 10, Status.OverBudget],
    [10, 0, Status.OverBudget],
    [-1, 10, Status.OverBudget],
    [16384, 10, Status.OverBudget],
    [10, 16384, Status.OverBudget],
    [16383, 1, Status.Ok],
    [1, 16383, Status.Ok],
  ] as const) {
    test(`${width} x ${height}: status ${status}`, () => {
      encoder.reset()
      expect(encoder.startVp8Encoder(width, height, 80)).toBe(status)
    })
  }
})

test('an image whose macroblock rows were not all given has no file', () => {
  encoder.reset()
  const pixels = encoder.allocate(16 * 16 * 2)
  expect(encoder.finishVp8Encoder()).toBe(Status.NoPixels)
  encoder.startVp8Encoder(16, 32, 80)
  encoder.encodeVp8Row(0, pixels, pixels, pixels, 16, 8)
  encoder.encodeVp8Row(0, pixels, pixels, pixels, 16, 8)
  expect(encoder.finishVp8Encoder()).toBe(Status.NoPixels)
})
