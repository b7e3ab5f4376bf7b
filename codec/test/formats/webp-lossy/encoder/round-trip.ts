import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../../../../test/support/random.ts'
import { type EncoderExports, encode, newEncoder, type Yuv } from './encoder.ts'
import { KINDS, madeYuv, photoYuv } from './images.ts'
import { samplePsnr } from './sample-psnr.ts'

const encoder = newEncoder()

/** Decodes a WebP file to its Y plane, then U, then V. */
type DecodeWebp = (file: Buffer, options: { filtered: boolean }) => Buffer

/** The tests that need a decoder: it must have the very pixels that the encoder predicted from. */
export function testRoundTrips(decode: DecodeWebp): void {
  /** Asserts that a decoder without loop filter has the very pixels that the encoder predicted from. */
  function assertNoDrift(image: Yuv, quality: number): Buffer {
    const { width, height } = image
    const { file, lines } = encodeWithLines(encoder, image, quality)
    const decoded = decode(file, { filtered: false })
    expect(decoded.length).toBe(image.samples.length)
    const chromaWidth = (width + 1) >> 1
    const chromaHeight = (height + 1) >> 1
    for (const [plane, planeWidth, planeHeight, start] of [
      [0, width, height, 0],
      [1, chromaWidth, chromaHeight, width * height],
      [2, chromaWidth, chromaHeight, width * height + chromaWidth * chromaHeight],
    ] as const) {
      const mbHeight = plane === 0 ? 16 : 8
      for (let y = mbHeight - 1, mbRow = 0; y < planeHeight; y += mbHeight, mbRow++) {
        const seen = decoded.subarray(start + y * planeWidth, start + (y + 1) * planeWidth)
        const meant = lines[3 * mbRow + plane]?.subarray(0, planeWidth)
        expect(meant?.equals(seen), `plane ${plane}, line ${y}`).toBe(true)
      }
    }
    return file
  }

  describe('a decoder sees what the encoder reconstructed, and nearly the image, at', () => {
    for (const [width, height] of [
      [1, 1],
      [2, 2],
      [1, 40],
      [40, 1],
      [15, 17],
      [16, 16],
      [17, 15],
      [33, 64],
      [200, 133],
      [401, 303],
    ] as const) {
      for (const quality of [0, 50, 80, 90, 100]) {
        test(`${width} x ${height}, quality ${quality}`, async () => {
          const image = await photoYuv(width, height, 7)
          const file = assertNoDrift(image, quality)
          expect(samplePsnr(decode(file, { filtered: true }), image.samples)).toBeGreaterThan(18 + quality / 5)
        })
      }
    }
  })

  describe('samples unlike any photo are coded without drift', () => {
    for (const kind of KINDS) {
      test(kind, () => {
        for (const quality of [0, 80, 100]) {
          const image = madeYuv(kind, 180, 90, 3)
          const file = assertNoDrift(image, quality)
          if (quality === 100) expect(samplePsnr(decode(file, { filtered: true }), image.samples)).toBeGreaterThan(38)
        }
      })
    }
  })

  test('a flat image takes less than 5 bits a macroblock and comes back the same', () => {
    for (const level of [0, 16, 127, 128, 129, 235, 255]) {
      const image = { width: 640, height: 480, samples: new Uint8Array(640 * 480 * 1.5).fill(level) }
      const file = encode(encoder, image, 90)
      expect(file.length * 8, 'bits').toBeLessThan(5 * 40 * 30)
      expect(decode(file, { filtered: true }).equals(image.samples)).toBe(true)
    }
  })

  describe('random sizes, contents and qualities are coded without drift', () => {
    const seed = Number(process.env.TINTYPE_SEED ?? 20240607)
    test(`seed ${seed}`, () => {
      const random = seededRandom(seed)
      for (let n = 0; n < 120; n++) {
        const width = 1 + below(n % 10 === 0 ? 500 : 70, random)
        const height = 1 + below(70, random)
        const kind = KINDS[below(KINDS.length, random)] ?? 'noise'
        const quality = below(101, random)
        const image = blended(madeYuv(kind, width, height, n), madeYuv('gradient', width, height, n), random())
        expect(() => assertNoDrift(image, quality), `${width} x ${height}, ${kind}, quality ${quality}`).not.toThrow()
      }
    })
  })

  test('the longest line and the longest column come back', () => {
    assertNoDrift(madeYuv('gradient', 16383, 16, 1), 80)
    assertNoDrift(madeYuv('gradient', 16, 16383, 1), 80)
  })
}

/** Encodes, keeping the last line of each macroblock row as the encoder reconstructed it: one Y, one U and one V line a mbRow. */
function encodeWithLines(module: EncoderExports, image: Yuv, quality: number): { file: Buffer; lines: Buffer[] } {
  const lines: Buffer[] = []
  const columns = (image.width + 15) >> 4
  const file = encode(module, image, quality, () => {
    const { buffer } = module.memory
    const chroma = module.chromaLineAbove()
    lines.push(Buffer.from(buffer.slice(module.lumaLineAbove(), module.lumaLineAbove() + 16 * columns)))
    lines.push(Buffer.from(buffer.slice(chroma, chroma + 8 * columns)))
    lines.push(Buffer.from(buffer.slice(chroma + 8 * columns, chroma + 16 * columns)))
  })
  return { file, lines }
}

/** A mix of two images of one size. */
function blended(a: Yuv, b: Yuv, share: number): Yuv {
  return { ...a, samples: a.samples.map((sample, i) => Math.round(sample * share + (b.samples[i] ?? 0) * (1 - share))) }
}
