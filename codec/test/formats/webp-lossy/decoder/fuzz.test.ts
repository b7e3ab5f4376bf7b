import sharp from 'sharp'
import { expect, test } from 'vitest'
import { photo } from '../../../../../test/support/photo.ts'
import { below, pick, type Random, seededRandom } from '../../../../../test/support/random.ts'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { newCountedInstance, roundsOf } from '../../../counted-instance.ts'
import { put } from '../../../instance.ts'
import { mutate } from '../../../mutations.ts'
import { listFixtures, readFixture } from '../../../probe/fixtures.ts'
import { type DecoderExports, decodeRgba, decodeYuv, decodeYuvAt, newDecoder } from './decoder.ts'
import { madeFrame, partitionSizes, SETTINGS, updateProbsOf } from './made-frames.ts'

const seed = Number(process.env.TINTYPE_SEED ?? 20_261_123)
const rounds = Number(process.env.FUZZ_ROUNDS ?? SETTINGS.length)
/** Of the codec's loops, for one file: some four times what the worst one takes. */
const MOST_ROUNDS = 8_000_000
/** Beside the module and the frame: in all, and for each of its columns and rows. */
const MOST_BYTES = 80_000
const MOST_BYTES_A_COLUMN = 60
const MOST_BYTES_A_ROW = 16
/** Images up to here are compared in full. */
const MOST_PIXELS = 300_000

const decoder = newDecoder()
const other = newCountedInstance<DecoderExports>()
const updateProbs = updateProbsOf(decoder)
other.reset()
const moduleBytes = other.peakBytes()

async function frameOf(width: number, height: number, quality: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const
  const file = await sharp(photo(width, height, 7), { raw })
    .webp({ quality })
    .toBuffer()
  return webpChunk(file, 'VP8 ') ?? expect.fail('no VP8 chunk')
}

/** The lossy ones among the fixtures; one image of an animation is no chunk of the file. */
const fixtures = listFixtures('valid').flatMap((path) => {
  const frame = path.startsWith('webp/') ? webpChunk(Buffer.from(readFixture('valid', path)), 'VP8 ') : undefined
  return frame ? [frame] : []
})

/** The frame's width and height as far as it has them. */
function sizeOf(frame: Buffer): [width: number, height: number] {
  return frame.length < 10 ? [0, 0] : [frame.readUInt16LE(6) & 0x3fff, frame.readUInt16LE(8) & 0x3fff]
}

/**
 * Asserts what holds for any frame: a status, within memory and time. It is the same at another address with other
 * bytes after it, after other frames, and with any number of steps at once.
 */
function statusOf(frame: Buffer, where: string, random: Random): Status {
  const [width, height] = sizeOf(frame)
  const most = moduleBytes + frame.length + MOST_BYTES + MOST_BYTES_A_COLUMN * width + MOST_BYTES_A_ROW * height
  const box = [1 + below(Math.min(40, width), random), 1 + below(Math.min(40, height), random)] as const
  let whole = { status: 0, samples: Buffer.alloc(0) }
  expect(
    roundsOf(other, () => (whole = decodeRgba(other, frame, ...box))),
    where,
  ).toBeLessThan(MOST_ROUNDS)
  expect([Status.Ok, Status.Malformed], where).toContain(whole.status)
  expect(other.peakBytes(), where).toBeLessThan(most)

  decoder.reset()
  decoder.allocate(1 + below(64, random))
  const at = put(decoder, Buffer.concat([frame, Buffer.alloc(40, below(256, random))]))
  decoder.toImage(...box, 1)
  let status: number = decoder.openVp8(at, frame.length)
  if (status === Status.Ok)
    do status = decoder.stepVp8()
    while (status === Status.More)
  if (status === Status.Ok) status = decoder.finish()
  expect(status, where).toBe(whole.status)
  if (status === Status.Ok) {
    const image = Buffer.from(decoder.memory.buffer, decoder.image(), 4 * box[0] * box[1])
    expect(image.equals(whole.samples), `other pixels: ${where}`).toBe(true)
  }
  if (width * height > MOST_PIXELS) return status

  const planes = decodeYuv(other, frame)
  expect(planes.status, where).toBe(whole.status)
  expect(other.peakBytes(), where).toBeLessThan(most)
  decoder.reset()
  decoder.allocate(1 + below(64, random))
  const again = put(decoder, Buffer.concat([frame, Buffer.alloc(40, below(256, random))]))
  expect(decodeYuvAt(decoder, again, frame.length).samples.equals(planes.samples), `other samples: ${where}`).toBe(true)
  return status
}

test(`frames of every partition count, segments, loop filter and token probabilities are decoded, the same wherever they lie (${rounds} rounds, seed ${seed})`, () => {
  const random = seededRandom(seed)
  let decoded = 0
  for (let round = 0; round < rounds; round++) {
    const setting = SETTINGS[round % SETTINGS.length] ?? expect.fail('no setting')
    const where = `round ${round}, seed ${seed}: ${JSON.stringify(setting)}`
    if (statusOf(madeFrame(setting, updateProbs, random), where, random) === Status.Ok) decoded++
  }
  // Some want more bytes than they have: those of nothing but what is least likely.
  expect(decoded).toBeGreaterThan(0.8 * rounds)
})

test(`frames mutated in header, sizes of partitions and tokens are decoded or refused, and the next good one is as before (${rounds} rounds, seed ${seed})`, async () => {
  const random = seededRandom(seed)
  const good = await frameOf(160, 120, 60)
  const expected = decodeRgba(other, good, 40, 30)
  const encoded = [good, await frameOf(50, 300, 5), await frameOf(33, 17, 95), ...fixtures]
  for (const frame of encoded) expect(statusOf(frame, `as it was encoded, seed ${seed}`, random)).toBe(Status.Ok)
  let decoded = 0
  for (let round = 0; round < rounds; round++) {
    const source = round % 2 === 0 ? madeFrame(pick(SETTINGS, random), updateProbs, random) : pick(encoded, random)
    const frame = mutated(source, random)
    if (statusOf(frame, `round ${round}, seed ${seed}`, random) === Status.Ok) decoded++
    if (round % 20 > 0) continue
    expect(decodeRgba(other, good, 40, 30), `after round ${round}, seed ${seed}`).toEqual(expected)
  }
  expect(decoded).toBeGreaterThan(rounds / 10)
  expect(decoded).toBeLessThan(rounds)
})

test('a frame without its last partition is refused though no row is in it, as by browsers', () => {
  const random = seededRandom(seed)
  const frame = madeFrame({ ...(SETTINGS[0] ?? expect.fail()), partitions: 8 }, updateProbs, random)
  const sizes = frame.subarray(...partitionSizes(frame, 8))
  const others = [0, 3, 6, 9, 12, 15, 18].reduce((sum, at) => sum + sizes.readUIntLE(at, 3), 0)
  const end = partitionSizes(frame, 8)[1] + others
  expect(decodeYuv(decoder, frame.subarray(0, end + 1)).status).toBe(Status.Ok)
  expect(decodeYuv(decoder, frame.subarray(0, end)).status).toBe(Status.Malformed)
})

/** A frame changed at one of its parts, or anywhere. */
function mutated(frame: Buffer, random: Random): Buffer {
  const sizes = partitionSizes(frame, 8)
  const [from, to] = pick([[0, 10], [10, 40], sizes, [sizes[1], frame.length]] as const, random)
  if (random() < 0.3 || from >= to) return Buffer.from(mutate(new Uint8Array(frame), random))
  const copy = Buffer.from(frame)
  for (let changes = 1 + below(4, random); changes > 0; changes--) {
    const at = from + below(Math.min(to, frame.length) - from, random)
    copy[at] = pick([0, 255, below(256, random), (copy[at] ?? 0) ^ (1 << below(8, random))], random)
  }
  return copy
}
