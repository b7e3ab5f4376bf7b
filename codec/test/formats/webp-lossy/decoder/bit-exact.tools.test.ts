import { describe, expect, test } from 'vitest'
import { photo } from '../../../../../test/support/photo.ts'
import { below, mutated, seededRandom } from '../../../../../test/support/random.ts'
import { webpChunk, webpFile } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { corpusImages, hasCorpus } from '../../../corpus.ts'
import { decodeYuv, newDecoder } from './decoder.ts'
import { cwebpOfRgb as cwebp, dwebpYuv as dwebp } from './libwebp.ts'

const decoder = newDecoder()

/** Compares with the planes of dwebp, which appends an alpha plane where the file has one. */
function assertEqualsDwebp(file: Buffer, ...options: string[]): void {
  const frame = webpChunk(file, 'VP8 ') ?? expect.fail('no VP8 chunk')
  const { status, samples } = decodeYuv(decoder, frame)
  expect(status).toBe(Status.Ok)
  const expected = dwebp(file, ...options)
  expect(expected?.subarray(0, samples.length).equals(samples)).toBe(true)
}

describe('a lossy WebP of the corpus decodes to the very samples of dwebp', { skip: !hasCorpus }, () => {
  for (const { path, file, expected, chunks } of corpusImages('webp')) {
    if (expected !== '200' || !chunks.includes('VP8')) continue
    test(path, () => assertEqualsDwebp(file))
  }
})

describe('an image decodes to the very samples of dwebp when it is encoded with', () => {
  for (const options of [
    '-q 0',
    '-q 30 -strong',
    '-q 60 -nostrong',
    '-q 90 -f 100 -sharpness 7',
    '-q 50 -f 60 -sharpness 3',
    '-q 20 -nostrong -f 100',
    '-q 100 -f 0',
    '-q 75 -partition_limit 100',
    '-q 40 -segments 1',
    '-q 40 -segments 4 -sns 100',
    '-q 70 -m 0',
    '-q 70 -m 6',
    '-preset text -q 50',
    '-preset drawing -q 10',
  ]) {
    test(options, async () => assertEqualsDwebp(cwebp(203, 157, photo(203, 157, 1), options)))
  }
})

describe('an image decodes to the very samples of dwebp when its size is', () => {
  const sides = [1, 2, 15, 16, 17, 31, 32, 33]
  for (const width of sides) {
    test(`${width} by ${sides.join(', ')}`, async () => {
      for (const height of sides) assertEqualsDwebp(cwebp(width, height, photo(width, height, 2), '-q 50'))
    })
  }
})

// Samples far out of range overflow 16 bits, which only the plain C code of dwebp does as RFC 6386 says: -noasm.
test('a damaged frame that dwebp decodes decodes to the very same samples', async () => {
  const seed = 20
  const random = seededRandom(seed)
  const sources: Buffer[] = []
  for (const options of ['-q 5', '-q 60', '-q 95 -nostrong', '-q 30 -segments 4 -sns 90']) {
    const frame = webpChunk(cwebp(97, 61, photo(97, 61, 4), options), 'VP8 ')
    if (frame) sources.push(frame)
  }
  let decoded = 0
  for (let round = 0; round < 120; round++) {
    const frame = mutated(sources[below(sources.length, random)] ?? Buffer.alloc(0), random)
    if (frame.length >= 10 && frame.readUInt16LE(6) !== 97) continue
    if (frame.length >= 10 && frame.readUInt16LE(8) !== 61) continue
    const expected = dwebp(webpFile(['VP8 ', frame]), '-noasm')
    const { status, samples } = decodeYuv(decoder, frame)
    if (!expected) continue
    decoded++
    expect(status, `seed ${seed}, round ${round}`).toBe(Status.Ok)
    expect(expected.equals(samples), `seed ${seed}, round ${round}`).toBe(true)
  }
  expect(decoded).toBeGreaterThan(20)
})
