import { expect, test } from 'vitest'
import { below, pick, type Random, seededRandom } from '../../../../../test/support/random.ts'
import { Status } from '../../../../assembly/status.ts'
import { concat } from '../../../../src/bytes.ts'
import { mutate } from '../../../mutations.ts'
import { type Codec, decode, newCodec } from './decoder.ts'
import { photo } from './images.ts'
import { arithmeticJpeg } from './made-arithmetic.ts'
import { find, written } from './segments.ts'
import { toJpeg } from './sharp.ts'

/** An image is refused or shown whatever is made of it: a thumbnail alone, or a large file and a thumbnail of one decode. */

const seed = Number(process.env.TINTYPE_SEED ?? 20_261_128)
const rounds = Number(process.env.FUZZ_ROUNDS ?? 300)
const [WIDTH, HEIGHT] = [64, 48]
/** From one sample of a block to all 64 of them: bands of coefficients that no scale needs are skipped. */
const SIZES: [number, number][] = [
  [4, 3],
  [21, 16],
  [WIDTH, HEIGHT],
]

const image = photo(WIDTH, HEIGHT, 5)
const progressive = await toJpeg(image, { progressive: true, chromaSubsampling: '4:4:4' })
const DRI = Uint8Array.of(0xff, 0xdd, 0, 4, 0, 5)
const firstScan = find(progressive, 0xda)
const restarting = concat([progressive.subarray(0, firstScan), DRI, progressive.subarray(firstScan)])

function verdicts(codec: Codec, file: Uint8Array): number[] {
  return SIZES.map((size) => {
    const decoded = decode(codec, file, { size, oversampling: 1 })
    return typeof decoded === 'number' ? decoded : Status.Ok
  })
}

/** Puts markers into the data of scans, where none belong, or damages the file elsewhere. */
function damaged(file: Uint8Array, random: Random): Uint8Array {
  let copy: Uint8Array = file.slice()
  for (let changes = 1 + below(4, random); changes > 0; changes--) {
    const at = firstScan + below(copy.length - firstScan, random)
    const code = pick([0x01, 0x21, 0xbf, 0xd0, 0xd2, 0xd7, 0xda, 0xe1, 0xfe, below(255, random) + 1], random)
    if (below(3, random) > 0) copy = written(copy, Math.min(at, copy.length - 2), 0xff, code)
    else copy = concat([copy.subarray(0, at), Uint8Array.of(0xff, code, 0, below(9, random)), copy.subarray(at)])
  }
  return below(3, random) > 0 ? copy : mutate(copy, random)
}

test(`damaged files have one verdict at every scale (seed ${seed}, ${rounds} rounds)`, () => {
  const random = seededRandom(seed)
  const codec = newCodec()
  const originals = [
    progressive,
    restarting,
    arithmeticJpeg(image, { progressive: true }),
    arithmeticJpeg(image, { progressive: true, restart: 5 }),
    arithmeticJpeg(image, { restart: 5 }),
  ]
  const seen = new Map<number, number>()
  for (let round = 0; round < rounds; round++) {
    const [first = -1, ...others] = verdicts(codec, damaged(pick(originals, random), random))
    expect(others, `round ${round} of seed ${seed}`).toEqual(others.map(() => first))
    seen.set(first, 1 + (seen.get(first) ?? 0))
  }
  // Else the damage says nothing.
  expect(seen.get(Status.Ok), 'shown').toBeGreaterThan(rounds / 10)
  expect(seen.get(Status.Malformed), 'refused').toBeGreaterThan(rounds / 10)
})

/** Where the header of scan `i` begins; -1 if there is none. */
function headerOf(file: Uint8Array, i: number): number {
  let at = find(file, 0xda)
  for (let scan = 0; scan < i && at >= 0; scan++) at = find(file, 0xda, at + 2)
  return at
}

/** Where the data of scan `i` begins, and where it ends. */
function dataOf(file: Uint8Array, i: number): [from: number, to: number] {
  const at = headerOf(file, i)
  const from = at + 2 + ((file[at + 2] ?? 0) << 8) + (file[at + 3] ?? 0)
  for (let to = from; ; to++) if (file[to] === 0xff && file[to + 1] !== 0) return [from, to]
}

test('a reserved marker in a scan that thumbnails skip is passed over, as where the scan is decoded', () => {
  const [from] = dataOf(restarting, 1)
  // A restart marker out of order, and a code that no marker has.
  const file = concat([
    restarting.subarray(0, from + 2),
    Uint8Array.of(0xff, 0xd2, 0xff, 0x21, 0x31, 0x55),
    restarting.subarray(from + 2),
  ])
  expect(verdicts(newCodec(), file)).toEqual(SIZES.map(() => Status.Ok))
})

test('a comment shorter than its length, before a scan that thumbnails skip, hides no scan from any scale', () => {
  const [, to] = dataOf(progressive, 0)
  const file = concat([progressive.subarray(0, to), Uint8Array.of(0xff, 0xfe, 0, 0), progressive.subarray(to)])
  const codec = newCodec()
  const [before, after] = [progressive, file].map((bytes) => decode(codec, bytes, { size: [WIDTH, HEIGHT] }))
  expect(after).toEqual(before)
  expect(verdicts(codec, file)).toEqual(SIZES.map(() => Status.Ok))
})

test('a file whose DC scans have no data is refused at every scale', () => {
  let file = progressive
  for (let i = 0; ; i++) {
    const at = headerOf(file, i)
    if (at < 0) break
    const [from, to] = dataOf(file, i)
    // Ss of the scan header (B.2.3): 0 for DC.
    if (file[from - 3] === 0) file = concat([file.subarray(0, from), file.subarray(to)])
  }
  expect(verdicts(newCodec(), file)).toEqual(SIZES.map(() => Status.NoPixels))
})
