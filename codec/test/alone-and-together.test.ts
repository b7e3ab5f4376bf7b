import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { photo } from '../../test/support/photo.ts'
import { below, pick, type Random, seededRandom } from '../../test/support/random.ts'
import { concat } from '../src/bytes.ts'
import { crc32 } from '../src/checksum.ts'
import { pngChunks } from '../src/container/png-chunks.ts'
import { probe } from '../src/probe.ts'
import { ImageRefusal } from '../src/refusal.ts'
import { codec } from './codec.ts'
import { find } from './formats/jpeg/decoder/segments.ts'
import { mutate } from './mutations.ts'
import { listFixtures, readFixture } from './probe/fixtures.ts'

/** Files of damaged images, made alone and of one decode: both are refused or neither. Where one scale suffices, bytes are equal. */

const SEED = Number(process.env.TINTYPE_SEED ?? 20_261_128)
/** Damages of each file. `npm test` makes a third of them. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? (process.env.THOROUGH ? 24 : 8))

const THUMBNAIL = { width: 20, height: 20, quality: 80, mayBeLossless: true }
const PREVIEW = { width: 40, height: 40, quality: 80, prefersJpeg: true, maxBytes: 300_000 }
const LARGE = { width: 3840, height: 3840, quality: 90, keepsProfile: true }

const MARKERS = [0x01, 0x21, 0xbf, 0xd2, 0xe1, 0xc0, 0xc2, 0xc4, 0xd0, 0xd7, 0xd9, 0xda, 0xdb, 0xdd, 0xfe]

/** Damages a file in one of the ways of its format, or in any. */
function damage(original: Uint8Array, name: string, random: Random): Uint8Array {
  switch (below(4, random)) {
    case 0:
      return original.subarray(0, below(original.length, random))
    case 1:
      return mutate(original, random)
    case 2:
      return flipped(original, random)
    default:
      return name.startsWith('jpeg')
        ? withMarkers(original, random)
        : name.startsWith('png')
          ? mended(original, random)
          : mutate(original, random)
  }
}

/** Flips some bits of the last two thirds, where pixels are. */
function flipped(original: Uint8Array, random: Random): Uint8Array {
  const bytes = original.slice()
  for (let flips = 1 + below(6, random); flips > 0; flips--) {
    const at = bytes.length - 1 - below(Math.ceil(bytes.length / 1.5), random)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8, random))
  }
  return bytes
}

/** Writes markers into the scans of a JPEG, and removes some. */
function withMarkers(original: Uint8Array, random: Random): Uint8Array {
  let bytes = original
  for (let changes = 1 + below(4, random); changes > 0; changes--) {
    const scans = Math.max(0, find(bytes, 0xda))
    const at = scans + below(bytes.length - scans, random)
    const markers = [...bytes.keys()].filter((i) => bytes[i] === 0xff && (bytes[i + 1] ?? 0) > 0)
    const marker = Uint8Array.of(0xff, pick(MARKERS, random), 0, below(9, random))
    if (below(4, random) > 0 || markers.length === 0)
      bytes = concat([bytes.subarray(0, at), marker, bytes.subarray(at + below(5, random))])
    else {
      const removed = pick(markers, random)
      bytes = concat([bytes.subarray(0, removed), bytes.subarray(removed + 2 + below(12, random))])
    }
  }
  return bytes
}

/** Says of a JPEG without restart markers that it has some: damaged intervals are passed over. */
function asRestarting(file: Uint8Array): Uint8Array {
  const at = find(file, 0xda)
  return concat([file.subarray(0, at), Uint8Array.of(0xff, 0xdd, 0, 4, 0, 5), file.subarray(at)])
}

/** Damages the content of a PNG's chunks, whose checksums are made right again. */
function mended(original: Uint8Array, random: Random): Uint8Array {
  const bytes = flipped(original, random)
  const view = new DataView(bytes.buffer)
  for (const { start, bodyEnd, whole } of pngChunks(bytes)) {
    if (whole) view.setUint32(bodyEnd, crc32(bytes.subarray(start + 4, bodyEnd)))
  }
  return bytes
}

type Files = Awaited<ReturnType<typeof codec.outputs>>

/** The files of an image, or the reason of their refusal. */
async function filesOf(bytes: Uint8Array, wanted: Parameters<typeof codec.outputs>[1]): Promise<Files | string> {
  try {
    return await codec.outputs(bytes, wanted)
  } catch (error) {
    if (error instanceof ImageRefusal) return error.reason
    throw error
  }
}

/** Whether an image cannot be decoded at all, by its header. */
function isRefusedUnread(bytes: Uint8Array): boolean {
  try {
    return probe(bytes) === undefined
  } catch (error) {
    if (error instanceof ImageRefusal) return true
    throw error
  }
}

const [WIDTH, HEIGHT] = [152, 117]
const opaque = () => sharp(photo(WIDTH, HEIGHT, 7), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
const translucent = () => opaque().ensureAlpha(0.5)

/** Larger ones than the fixtures: thumbnails of them are decoded at another scale than large files. */
const MADE: [name: string, make: () => Sharp][] = [
  ['jpeg, baseline', () => opaque().jpeg()],
  ['jpeg, progressive', () => opaque().jpeg({ progressive: true })],
  ['jpeg, progressive, grey', () => opaque().greyscale().jpeg({ progressive: true })],
  ['png', () => opaque().png()],
  ['png, interlaced', () => opaque().png({ progressive: true })],
  ['png, interlaced, with alpha', () => translucent().png({ progressive: true })],
  ['png, of a palette', () => opaque().png({ palette: true })],
  ['gif', () => opaque().gif()],
  ['webp, lossy', () => opaque().webp()],
  ['webp, lossy, with alpha', () => translucent().webp()],
  ['webp, lossless', () => opaque().webp({ lossless: true })],
  ['avif', () => opaque().avif({ effort: 0 })],
  ['avif, with alpha', () => translucent().avif({ effort: 0 })],
]

const ORIGINALS: [name: string, read: () => Promise<Uint8Array>][] = [
  ...listFixtures('valid').map((path): [string, () => Promise<Uint8Array>] => [
    path,
    async () => readFixture('valid', path),
  ]),
  ...MADE.map(([name, make]): [string, () => Promise<Uint8Array>] => [
    name,
    async () => new Uint8Array(await make().toBuffer()),
  ]),
  [
    'jpeg, progressive, with restart intervals',
    async () => asRestarting(new Uint8Array(await opaque().jpeg({ progressive: true }).toBuffer())),
  ],
]

test.each(ORIGINALS)(
  `%s, ${ROUNDS} times damaged, is shown alone and together, or refused alone and together (seed ${SEED})`,
  async (name, read) => {
    const original = await read()
    const random = seededRandom(SEED)
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = damage(original, name, random)
      const where = `round ${round} of seed ${SEED}: ${Buffer.from(bytes).toString('base64')}`
      const [thumbnail, preview, large] = [
        await filesOf(bytes, [THUMBNAIL]),
        await filesOf(bytes, [PREVIEW]),
        await filesOf(bytes, [LARGE]),
      ]
      const together = await filesOf(bytes, [THUMBNAIL, PREVIEW, LARGE])
      const pair = await filesOf(bytes, [THUMBNAIL, LARGE])
      const verdicts = [thumbnail, preview, large, together, pair].map((files) =>
        typeof files === 'string' ? files : 'shown',
      )
      expect(verdicts, where).toEqual(verdicts.map(() => verdicts[0]))
      if (isRefusedUnread(bytes)) expect(verdicts[0], where).not.toBe('shown')
      if (verdicts[0] !== 'shown') continue
      const [smallest, , largest] = together
      expect(pair, where).toEqual([smallest, largest])
      expect(large, where).toEqual([largest])
      // JPEGs, AVIFs, lossy WebPs and canvases of interlaced PNGs are decoded at the scale of the largest file.
      if (/^(jpeg|avif)|^webp, lossy$|interlaced/.test(name)) continue
      expect([...thumbnail, ...preview], where).toEqual(together.slice(0, 2))
    }
  },
  3_600_000,
)
