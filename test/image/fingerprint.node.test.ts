import sharp, { type Sharp } from 'sharp'
import { probe } from 'tintype-codec/interface'
import { describe, expect, test } from 'vitest'
import { distanceOf, type Fingerprint, fingerprintOf } from '../../src/image/fingerprint.ts'
import { fingerprintOfThumbnail, makeThumbnail } from '../../src/image/thumbnail.ts'
import { FINGERPRINT_MAX_DISTANCE } from '../../src/limits.ts'
import { listCorpus } from '../support/corpus.ts'

/** An image of the corpus with its thumbnail's fingerprint. */
interface Known {
  path: string
  file: Uint8Array
  thumbnail: Uint8Array
  fingerprint: Fingerprint
}

/** It has only even areas, whose bits depend on noise of the codec. */
const EVEN_DRAWING = 'imgproxy+imgproxy/geometry.png'
/** Fingerprints are of the thumbnail, so decoding larger images would cost much and prove no more. */
const MOST_PIXELS = 400_000
/** A JPEG of quality 30 shows little more than blocks of smaller images. */
const LEAST_SIDE_PX = 64
/** A dithered copy in few colours correlates by 0.78 with the original. */
const SAME_CORRELATION = 0.75
const SIDE = 32

const VARIANTS: [how: string, make: (image: Sharp, width: number) => Sharp][] = [
  ...[30, 50, 95].map((quality): (typeof VARIANTS)[number] => [`JPEG q${quality}`, (it) => it.jpeg({ quality })]),
  ...[30, 95].map((quality): (typeof VARIANTS)[number] => [
    `WebP q${quality}`,
    (it) => it.webp({ quality, effort: 0 }),
  ]),
  ['PNG', (it) => it.png({ compressionLevel: 1 })],
  ['half as wide, JPEG q80', (it, width) => it.resize({ width: Math.ceil(width / 2) }).jpeg({ quality: 80 })],
]

describe.skipIf(listCorpus().length === 0)('images of the corpus (needs the corpus)', async () => {
  const known = await knownImages()

  test('a match is the same image, and other images are far apart', async () => {
    const luma = new Map(await Promise.all(known.map(async (one) => [one, await lumaOf(one.thumbnail)] as const)))
    const pairs = known.flatMap((one, i) => known.slice(i + 1).map((other) => ({ one, other })))
    const counts = Array<number>(65).fill(0)
    const wrong: string[] = []
    for (const { one, other } of pairs) {
      const distance = distanceOf(one.fingerprint, other.fingerprint)
      counts[distance] = (counts[distance] ?? 0) + 1
      if (distance > FINGERPRINT_MAX_DISTANCE) continue
      const alike = correlation(luma.get(one) ?? [], luma.get(other) ?? [])
      if (alike < SAME_CORRELATION) wrong.push(`${distance} ${alike.toFixed(3)} ${one.path} ${other.path}`)
    }
    const distances = counts.flatMap((count, distance) => (count > 0 ? [`${distance}: ${count}`] : []))
    console.log(`${known.length} pictures; pairs by distance ${distances.join(', ')}`)
    expect(known.length).toBeGreaterThan(200)
    expect(wrong).toEqual([])
  })

  test.for(VARIANTS)('%s of one matches it', async ([, make]) => {
    const missed: string[] = []
    let compared = 0
    // Other decoders show some AVIFs differently than browsers.
    const comparable = known.filter(({ path }) => !path.endsWith('.avif') && path !== EVEN_DRAWING)
    for (const { path, file, fingerprint } of comparable.filter((_, i) => i % 20 === 0)) {
      const facts = probe(file)
      if (!facts || Math.min(facts.size.width, facts.size.height) < LEAST_SIDE_PX) continue
      const image = sharp(file).rotate().flatten({ background: 'white' })
      // The decoder rejects some damaged files.
      const bytes = await make(image, facts.size.width)
        .toBuffer()
        .catch(() => undefined)
      if (!bytes) continue
      const thumbnail = await thumbnailOf(bytes, 500)
      const other = thumbnail && (await fingerprintOfThumbnail(thumbnail.bytes))
      const distance = other ? distanceOf(fingerprint, other) : 64
      compared++
      if (distance > FINGERPRINT_MAX_DISTANCE) missed.push(`${distance} ${path}`)
    }
    expect(compared).toBeGreaterThan(10)
    expect(missed).toEqual([])
  })
})

test('even images have none', () => {
  const [width, height] = [40, 30]
  const even = { width, height, rgba: new Uint8ClampedArray(width * height * 4).fill(200) }
  expect(fingerprintOf(even)).toBeUndefined()
  const halves = { ...even, rgba: even.rgba.map((value, i) => (i < even.rgba.length / 2 ? value : 255)) }
  expect(fingerprintOf(halves)).toBeUndefined()
})

test('distance counts bits', () => {
  const bytes = (...values: number[]) => Uint8Array.from({ length: 8 }, (_, i) => values[i] ?? 0)
  expect(distanceOf(bytes(0b101, 0xff), bytes(0b100, 0x0f))).toBe(5)
  expect(distanceOf(bytes(), bytes(...Array<number>(8).fill(255)))).toBe(64)
})

async function knownImages(): Promise<Known[]> {
  const known: Known[] = []
  for (const { path, width, height, expected, read } of listCorpus()) {
    if (width * height > MOST_PIXELS) continue
    const bytes = read()
    // Files that may be rejected have none.
    const thumbnail = expected.includes(200) ? await thumbnailOf(bytes, 200).catch(() => undefined) : undefined
    const fingerprint = thumbnail && (await fingerprintOfThumbnail(thumbnail.bytes))
    if (thumbnail && fingerprint) known.push({ path, file: bytes, thumbnail: thumbnail.bytes, fingerprint })
  }
  return known
}

async function thumbnailOf(bytes: Uint8Array, maxSizePx: number) {
  const facts = probe(bytes)
  return facts && makeThumbnail({ bytes, facts }, maxSizePx)
}

/** Returns the luma of an image at SIDE by SIDE pixels, by another decoder and resampler. */
async function lumaOf(file: Uint8Array): Promise<number[]> {
  const pixels = sharp(file).flatten({ background: 'white' }).resize(SIDE, SIDE, { fit: 'fill' }).greyscale()
  return [...(await pixels.raw().toBuffer())]
}

/** Returns Pearson's correlation coefficient. */
function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanOne, meanOther] = [mean(one), mean(other)]
  let [product, squaresOne, squaresOther] = [0, 0, 0]
  one.forEach((value, i) => {
    const [a, b] = [value - meanOne, (other[i] ?? 0) - meanOther]
    product += a * b
    squaresOne += a * a
    squaresOther += b * b
  })
  return product / Math.sqrt(squaresOne * squaresOther)
}
