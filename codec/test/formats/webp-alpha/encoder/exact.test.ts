import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { decodeAlpha, newDecoder } from '../decoder/decoder.ts'
import { alph, newAlphEncoder, onGrey } from './encoder.ts'
import { MASKS, type Mask, mask, maskOf, randomMask } from './masks.ts'

const encoder = newAlphEncoder()
const decoder = newDecoder()

/** Asserts that sharp and our own decoder read the very alphas; returns the chunk. */
async function assertExact(plane: Mask): Promise<Buffer> {
  const chunk = alph(encoder, plane)
  const { data, info } = await sharp(onGrey(chunk, plane))
    .extractChannel('alpha')
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([plane.width, plane.height])
  expect(data.equals(plane.alphas), 'sharp reads other alphas').toBe(true)
  assertReadByUs(chunk, plane)
  return chunk
}

function assertReadByUs(chunk: Buffer, plane: Mask): void {
  const { status, samples } = decodeAlpha(decoder, chunk, plane.width, plane.height)
  expect(status).toBe(Status.Ok)
  expect(samples.equals(plane.alphas), 'our decoder reads other alphas').toBe(true)
}

describe('the very alphas come back of', () => {
  for (const kind of MASKS) {
    for (const [width, height] of [
      [1, 1],
      [2, 3],
      [1, 300],
      [300, 1],
      [17, 31],
      [200, 150],
      [401, 303],
    ] as const) {
      test(`${kind}, ${width} x ${height}`, async () => {
        await assertExact(await mask(kind, width, height))
      })
    }
  }
})

describe('a large plane comes back the same', () => {
  for (const kind of ['text', 'hard circles', 'noise'] as const) {
    test(`${kind}, 3840 x 540`, async () => {
      await assertExact(await mask(kind, 3840, 540))
    })
  }
  for (const [width, height] of [
    [16383, 3],
    [3, 16383],
    [16383, 40],
  ] as const) {
    test(`the longest sides: ${width} x ${height}`, async () => {
      await assertExact(await mask('halftone', width, height))
      await assertExact(maskOf(width, height, (i) => (i % 777 === 0 ? i : 0)))
    })
  }
})

describe('a plane of few values comes back the same', () => {
  for (const colours of [1, 2, 3, 4, 5, 16, 17]) {
    for (const [width, height] of [
      [1, 1],
      [15, 17],
      [16, 16],
      [257, 61],
    ] as const) {
      test(`${colours} values, ${width} x ${height}`, async () => {
        const random = seededRandom(colours)
        await assertExact(maskOf(width, height, () => 13 * below(colours, random)))
        await assertExact(maskOf(width, height, (i) => 13 * ((i >> 4) % colours)))
      })
    }
  }
})

test('a plane of one value takes less than 20 bytes, however large', async () => {
  for (const value of [0, 1, 77, 254]) {
    const chunk = await assertExact(maskOf(1000, 700, () => value))
    expect(chunk.length, 'bytes').toBeLessThan(20)
  }
})

test('noise is stored as it is, and nothing else of more than a few pixels', async () => {
  for (const kind of MASKS) {
    const chunk = alph(encoder, await mask(kind, 200, 150))
    expect((chunk[0] ?? 0) & 3, kind).toBe(kind === 'noise' ? 0 : 1)
    expect(chunk.length).toBeLessThanOrEqual(200 * 150 + 1)
  }
})

describe('noise that repeats after a run of one value comes back the same, and is told once if it was not too long ago', () => {
  const random = seededRandom(4)
  const noise = Uint8Array.from({ length: 5000 }, () => below(256, random))
  for (const [distance, told] of [
    // After runs as long as a copy may be, one pixel less and more, and twice that and one more.
    [noise.length + 4095, 'once'],
    [noise.length + 4096, 'once'],
    [noise.length + 4097, 'once'],
    [noise.length + 8193, 'once'],
    // As far as is looked back, and farther.
    [262_143, 'once'],
    [262_144, 'again'],
    [300_000, 'again'],
  ] as const) {
    test(`${distance} pixels on: ${told}`, async () => {
      const chunk = await assertExact(maskOf(1000, 600, (i) => noise[i % distance] ?? 9))
      const isOnce = chunk.length < 1.5 * noise.length
      expect(isOnce, `${chunk.length} bytes`).toBe(told === 'once')
    })
  }
})

test('one instance writes the same bytes for the same plane, whatever came in between', async () => {
  const text = await mask('text', 200, 150)
  const first = alph(newAlphEncoder(), text)
  for (const kind of MASKS) {
    alph(encoder, await mask(kind, 333, 77))
    expect(alph(encoder, text).equals(first), kind).toBe(true)
  }
})

describe('random planes of random sizes come back the same', () => {
  const seed = Number(process.env.TINTYPE_SEED ?? 20240607)
  test(`seed ${seed}`, async () => {
    const random = seededRandom(seed)
    for (let n = 0; n < 300; n++) {
      const width = 1 + below(n % 5 === 0 ? 700 : 80, random)
      const height = 1 + below(n % 7 === 0 ? 700 : 80, random)
      const drawn = randomMask(width, height, random)
      const chunk = alph(encoder, drawn)
      expect(() => assertReadByUs(chunk, drawn), `the ${n}th, ${width} x ${height}`).not.toThrow()
    }
  })
})
