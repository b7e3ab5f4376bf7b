import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { below, mutated, seededRandom } from '../../../../../test/support/random.ts'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { newCountedInstance, roundsOf } from '../../../counted-instance.ts'
import { newBitWriter } from './bit-writer.ts'
import { type DecoderExports, decodePixels, decodeRgba, newDecoder } from './decoder.ts'
import { paletteImage, photoImage } from './made-images.ts'
import { randomStream } from './random-stream.ts'
import { losslessWebp } from './sharp.ts'

/** Of the codec's loops, for one file: some four times what the worst one takes. */
const MOST_ROUNDS = 1_000_000

/** Larger declared sizes are refused by the host before the decoder sees them. */
const MAX_PIXELS = 100_000_000

const MEGABYTE = 2 ** 20

async function photoStream(width: number, height: number): Promise<Buffer> {
  const data =
    webpChunk(await losslessWebp(await photoImage(width, height, 21, true)), 'VP8L') ?? expect.fail('no VP8L chunk')
  return data
}

/** The header, then these numbers of so many bits. */
function stream(...fields: [value: number, bits: number][]): Buffer {
  const out = newBitWriter()
  for (const [value, bits] of [[0x2f, 8], [99, 14], [99, 14], [1, 1], [0, 3], ...fields] as const) out.put(value, bits)
  return Buffer.concat([out.bytes(), Buffer.alloc(100)])
}

describe('a stream is refused', async () => {
  const good = await photoStream(120, 90)
  const decoder = newDecoder()
  const changed = (at: number, value: number): Buffer => {
    const copy = Buffer.from(good)
    copy[at] = value
    return copy
  }
  const rows: [string, Buffer][] = [
    ['without bytes', good.subarray(0, 0)],
    ['of four bytes', good.subarray(0, 4)],
    ['of a header alone', good.subarray(0, 5)],
    ['without the signature', changed(0, 0x2e)],
    ['of version 1', changed(4, (good[4] ?? 0) | 0x20)],
    ['cut in its prefix codes', good.subarray(0, 60)],
    ['cut in the middle', good.subarray(0, good.length >> 1)],
    ['that lacks its last 8 bytes', good.subarray(0, good.length - 8)],
    ['with a transform that comes twice', stream([1, 1], [2, 2], [1, 1], [2, 2])],
    ['with a colour cache of 0 bits', stream([0, 1], [1, 1], [0, 4])],
    ['with a colour cache of 12 bits', stream([0, 1], [1, 1], [12, 4])],
    ['with a prefix code that is not complete', stream([0, 3], [0, 1], [0, 4], [1, 3], [1, 3])],
    ['with a distance code of one symbol that is none', stream([0, 3], ...[0, 0, 0, 0, 50].map(oneSymbol))],
  ]
  for (const [name, bytes] of rows) {
    test(name, () => expect(decodePixels(decoder, bytes).status).toBe(Status.Malformed))
  }
})

test('a stream of one colour needs no bits for its pixels', () => {
  const { status, rgba } = decodePixels(newDecoder(), stream([0, 3], ...[30, 20, 40, 200, 39].map(oneSymbol)))
  expect(status).toBe(Status.Ok)
  expect(rgba.length).toBe(100 * 100 * 4)
  expect(rgba.equals(Buffer.alloc(rgba.length, Buffer.of(0x14, 0x1e, 0x28, 0xc8)))).toBe(true)
})

/** A simple prefix code: one symbol, of 8 bits. */
function oneSymbol(symbol: number): [number, number] {
  return [0b101 | (symbol << 3), 11]
}

// 30 bytes of the file ask for 2 KB of tables each time.
test('a stream with more prefix codes than any encoder makes is refused before it takes the memory', () => {
  const out = newBitWriter()
  const put = (...fields: [value: number, bits: number][]): void => {
    for (const [value, bits] of fields) out.put(value, bits)
  }
  put([0x2f, 8], [99, 14], [99, 14], [1, 1], [0, 3])
  // An entropy image of one pixel: the number of the only block's group is 65535, so there are 65536 groups.
  put([0, 2], [1, 1], [5, 3], [0, 1], ...[255, 255, 0, 0, 0].map(oneSymbol))
  for (let group = 0; group < 20_000; group++) {
    for (let i = 0; i < 4; i++) put(...ALL_BYTES)
    put(oneSymbol(0))
  }
  const data = out.bytes()
  const decoder = newDecoder()
  expect(decodePixels(decoder, data).status).toBe(Status.OverBudget)
  expect(decoder.peakBytes()).toBeLessThan(data.length + 26 * MEGABYTE)
})

/** A prefix code of 256 symbols of 8 bits: the lengths' code has only the symbol 8, which then takes no bits. */
const ALL_BYTES: [value: number, bits: number][] = [
  [0, 1],
  [8, 4],
  [0, 11 * 3 - 5],
  [0, 5],
  [1, 3],
  [1, 1],
  [3, 3],
  [254, 8],
]

test('whatever a stream holds it is decoded or refused, and the next good one decodes to the same pixels', async () => {
  const seed = 22
  const random = seededRandom(seed)
  const decoder = newCountedInstance<DecoderExports>()
  const good = await photoStream(160, 120)
  const expected = decodeRgba(decoder, good, 40, 30)
  expect(expected.status).toBe(Status.Ok)
  const palette = webpChunk(await losslessWebp(paletteImage(90, 70, 9, 23)), 'VP8L') ?? expect.fail('no VP8L chunk')
  const sources = [good, palette, await photoStream(31, 200), ...[1, 2, 3].map(() => randomStream(70, 50, random))]
  for (let round = 0; round < 1000; round++) {
    const data = mutated(sources[below(sources.length, random)] ?? good, random)
    const bits = data.length < 5 ? 0 : data.readUInt32LE(1)
    if (((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1) > MAX_PIXELS) continue
    const rounds = roundsOf(decoder, () => decodeRgba(decoder, data, 40, 30))
    expect(rounds, `seed ${seed}, round ${round}`).toBeLessThan(MOST_ROUNDS)
    expect(decoder.memory.buffer.byteLength, `seed ${seed}, round ${round}`).toBeLessThan(40 * MEGABYTE)
    if (round % 20 > 0) continue
    expect(decodeRgba(decoder, good, 40, 30).rgba.equals(expected.rgba), `seed ${seed}, round ${round}`).toBe(true)
  }
})

test('an image 8000 pixels wide is decoded within its file and 6 MB', async () => {
  const [width, height] = [8000, 200]
  const { rgba, ...size } = await photoImage(80, 2, 24)
  const file = await sharp(rgba, { raw: { ...size, channels: 4 } })
    .resize(width, height, { kernel: 'cubic' })
    .webp({ lossless: true, effort: 1 })
    .toBuffer()
  const data = webpChunk(file, 'VP8L') ?? expect.fail('no VP8L chunk')
  const decoder = newDecoder()
  expect(decodeRgba(decoder, data, 200, 5).status).toBe(Status.Ok)
  expect(decoder.peakBytes()).toBeLessThan(data.length + 6 * MEGABYTE)
})
