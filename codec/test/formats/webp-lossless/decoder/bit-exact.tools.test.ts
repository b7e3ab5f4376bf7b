import { describe, expect, test } from 'vitest'
import { below, mutated, seededRandom } from '../../../../../test/support/random.ts'
import { webpChunk, webpFile } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { corpusImages, hasCorpus } from '../../../corpus.ts'
import { decodePixels, newDecoder } from './decoder.ts'
import { cwebp, dwebp } from './libwebp.ts'
import { COLOUR_COUNTS, EDGE_SIZES, noiseImage, paletteImage, photoImage, type TestImage } from './made-images.ts'
import { randomStream } from './random-stream.ts'

const decoder = newDecoder()

function assertEqualsDwebp(file: Buffer): void {
  const data = webpChunk(file, 'VP8L') ?? expect.fail('no VP8L chunk')
  const { status, rgba } = decodePixels(decoder, data)
  expect(status).toBe(Status.Ok)
  expect(dwebp(file)?.rgba.equals(rgba)).toBe(true)
}

/** The colours under alpha 0 too, which only `-exact` keeps. */
function assertComesBack(image: TestImage, options: string): void {
  const data = webpChunk(cwebp(image, `-lossless -exact ${options}`), 'VP8L') ?? expect.fail('no VP8L chunk')
  const { status, rgba } = decodePixels(decoder, data)
  expect(status).toBe(Status.Ok)
  expect(rgba.equals(image.rgba)).toBe(true)
}

describe('a lossless WebP of the corpus decodes to the very pixels of dwebp', { skip: !hasCorpus }, () => {
  for (const { path, file, expected, chunks } of corpusImages('webp')) {
    if (expected !== '200' || !chunks.includes('VP8L')) continue
    test(path, () => assertEqualsDwebp(file))
  }
})

describe('a photo comes back when it is encoded with', async () => {
  const opaque = await photoImage(203, 157, 1)
  const seeThrough = await photoImage(157, 203, 2, true)
  for (let level = 0; level <= 9; level++) {
    test(`-z ${level}`, () => {
      assertComesBack(opaque, `-z ${level}`)
      assertComesBack(seeThrough, `-z ${level}`)
    })
  }
  for (let method = 0; method <= 6; method++) {
    for (const quality of [0, 50, 100]) {
      test(`-m ${method} -q ${quality}`, () => assertComesBack(seeThrough, `-m ${method} -q ${quality}`))
    }
  }
})

describe('an image decodes to the very pixels of dwebp when it is encoded with', async () => {
  const image = await photoImage(301, 97, 3, true)
  for (const level of [0, 20, 40, 60, 80]) {
    test(`-near_lossless ${level}`, () => assertEqualsDwebp(cwebp(image, `-near_lossless ${level}`)))
  }
  test('-lossless -hint graph', () => assertEqualsDwebp(cwebp(image, '-lossless -hint graph')))
})

describe('an image comes back that has', () => {
  for (const colours of COLOUR_COUNTS) {
    test(`${colours} colours`, () => {
      for (const level of [0, 6, 9]) assertComesBack(paletteImage(131, 77, colours, colours), `-z ${level}`)
    })
  }
  test('noise in all samples', () => assertComesBack(noiseImage(67, 61, 4), '-z 6'))
})

describe('an image comes back whose size is', () => {
  for (const [width, height] of EDGE_SIZES) {
    test(`${width} x ${height}`, async () => {
      assertComesBack(await photoImage(width, height, 5, true), '-z 6')
      assertComesBack(paletteImage(width, height, 3, 6), '-z 6')
    })
  }
})

// Copies that reach back far go round the ring of 2^20 pixels.
test('an image of more than 2^20 pixels that repeats itself far away comes back', () => {
  const { width, height, rgba } = noiseImage(1024, 300, 7)
  const repeated = Buffer.concat([rgba, rgba, rgba, rgba, rgba, rgba, rgba])
  assertComesBack({ width, height: height * 7, rgba: repeated }, '-m 4 -q 100')
})

test('a stream that uses all of the format at random decodes to the very pixels of dwebp', () => {
  const seed = 41
  const random = seededRandom(seed)
  for (let round = 0; round < 200; round++) {
    const data = randomStream(1 + below(90, random), 1 + below(60, random), random)
    const { status, rgba } = decodePixels(decoder, data)
    expect(status, `seed ${seed}, round ${round}`).toBe(Status.Ok)
    expect(dwebp(webpFile(['VP8L', data]))?.rgba.equals(rgba), `seed ${seed}, round ${round}`).toBe(true)
  }
})

test('a damaged stream that dwebp decodes decodes to the very same pixels', async () => {
  const seed = 31
  const random = seededRandom(seed)
  const images = [await photoImage(61, 47, 8, true), paletteImage(61, 47, 7, 9), noiseImage(61, 47, 10)]
  const sources = images.flatMap((image) =>
    ['-z 0', '-z 6', '-z 9'].map((options) => webpChunk(cwebp(image, `-lossless ${options}`), 'VP8L')),
  )
  let decoded = 0
  for (let round = 0; round < 300; round++) {
    const data = mutated(sources[below(sources.length, random)] ?? Buffer.alloc(0), random)
    // Another size, or bits that no image of this size needs.
    if (data.length < 5 || (data.readUInt32LE(1) & 0xfffffff) !== ((46 << 14) | 60)) continue
    const expected = dwebp(webpFile(['VP8L', data]))
    const { status, rgba } = decodePixels(decoder, data)
    expect(status === Status.Ok, `seed ${seed}, round ${round}`).toBe(expected !== undefined)
    if (!expected) continue
    decoded++
    expect(expected.rgba.equals(rgba), `seed ${seed}, round ${round}`).toBe(true)
  }
  expect(decoded).toBeGreaterThan(20)
})
