import { below, pick, type Random, randomBytes } from '../../../../../test/support/random.ts'
import { BoolWriter } from './bool-writer.ts'
import type { DecoderExports } from './decoder.ts'

/**
 * Fields of a key frame's header about segments, the loop filter and token probabilities (RFC 6386, 9.3, 9.6 and 13.4).
 */
const SEGMENTS = [
  'none',
  'nothing said of them',
  'a map',
  'values',
  'values added',
  'a map and values',
  'a map and values added',
]
const FILTERS = ['none', 'simple', 'normal', 'normal, other for subblocks']
const PROBABILITIES = ['as they are', 'some replaced', 'all replaced']

/** Options of a frame. */
interface Setting {
  /** 1, 2, 4 or 8. */
  readonly partitions: number
  readonly segments: string
  readonly filter: string
  readonly probabilities: string
}

/** Each of all settings. */
export const SETTINGS: readonly Setting[] = [1, 2, 4, 8].flatMap((partitions) =>
  SEGMENTS.flatMap((segments) =>
    FILTERS.flatMap((filter) =>
      PROBABILITIES.map((probabilities) => ({ partitions, segments, filter, probabilities })),
    ),
  ),
)

/** Maximum bytes of a macroblock's modes and tokens, unless nearly all of its rare symbols occur. */
const MODE_BYTES = 40
const TOKEN_BYTES = 1200

/** The chances that decide whether each token probability stays (RFC 6386, 13.4). */
export function updateProbsOf(decoder: DecoderExports): Uint8Array {
  return new Uint8Array(decoder.memory.buffer, decoder.vp8UpdateProbs.value, 1056).slice()
}

/** The payload of a "VP8 " chunk up to 70 x 70: a header of this setting, and modes and tokens as chance has them. */
export function madeFrame(setting: Setting, updateProbs: Uint8Array, random: Random): Buffer {
  const [width, height] = [1 + below(70, random), 1 + below(70, random)]
  const [columns, rows] = [(width + 15) >> 4, (height + 15) >> 4]
  const first = Buffer.concat([header(setting, updateProbs, random), randomBytes(MODE_BYTES * columns * rows, random)])
  const partitions = Array.from({ length: setting.partitions }, (_, i) => {
    const own = Math.ceil((rows - i) / setting.partitions)
    return tokens(own > 0 ? own * columns * TOKEN_BYTES : 1 + below(3, random), random)
  })
  const version = below(4, random)
  const head = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0])
  head.writeUIntLE((first.length << 5) | 0x10 | (version << 1), 0, 3)
  // The two highest bits tell how to show it: nothing that a decoder does.
  head.writeUInt16LE(width | (below(4, random) << 14), 6)
  head.writeUInt16LE(height | (below(4, random) << 14), 8)
  const sizes = partitions.slice(0, -1).map(({ length }) => [length & 255, (length >> 8) & 255, length >> 16])
  return Buffer.concat([head, first, Buffer.from(sizes.flat()), ...partitions])
}

/** Where the sizes of its partitions lie in a frame; all of it where that cannot be. */
export function partitionSizes(frame: Buffer, partitions: number): [from: number, to: number] {
  const from = 10 + (frame.length < 3 ? 0 : frame.readUIntLE(0, 3) >> 5)
  const to = from + 3 * (partitions - 1)
  return to <= frame.length ? [from, to] : [0, frame.length]
}

/** Whether a token partition begins with a byte that no encoder writes there (7.3): dwebp shows other pixels then in 32 bits than in 64. */
export function beginsImpossibly(frame: Buffer, partitions: number): boolean {
  const [sizes, first] = partitionSizes(frame, partitions)
  let at = first
  for (let i = 0; i < partitions; i++) {
    if (frame[at] === 255) return true
    if (i < partitions - 1) at += frame.readUIntLE(sizes + 3 * i, 3)
  }
  return false
}

/** Bytes of which each token is as likely as its probabilities say; now and then nothing but what is most or least likely. */
function tokens(length: number, random: Random): Buffer {
  const kind = below(12, random)
  const bytes = kind < 2 ? Buffer.alloc(length, kind === 0 ? 0 : 255) : randomBytes(length, random)
  // The range of an encoder begins with 255, so that no partition does.
  if (bytes[0] === 255) bytes[0] = 254
  return bytes
}

/** RFC 6386, 9.2 to 9.11 and 19.2. */
function header(setting: Setting, updateProbs: Uint8Array, random: Random): Uint8Array {
  const d = new BoolWriter()
  const signed = (bits: number) => (random() < 0.5 ? 0 : 1) * (below(2 ** (bits + 1) - 1, random) - 2 ** bits + 1)
  d.literal(below(4, random), 2) // color_space and clamping_type
  writeSegments(d, setting.segments, random, signed)
  writeFilter(d, setting.filter, random, signed)
  d.literal(Math.log2(setting.partitions), 2)
  d.literal(below(128, random), 7)
  for (let i = 0; i < 5; i++) d.optionalSigned(signed(4), 4)
  d.literal(below(2, random), 1) // refresh_entropy_probs
  const share = PROBABILITIES.indexOf(setting.probabilities) / 2
  for (const stays of updateProbs) {
    const isReplaced = random() < share
    d.bool(isReplaced ? 1 : 0, stays)
    if (isReplaced) d.literal(pick([0, 1, 255, 128, below(256, random)], random), 8)
  }
  const hasSkips = below(2, random)
  d.literal(hasSkips, 1)
  if (hasSkips > 0) d.literal(below(256, random), 8)
  return d.finished()
}

type Signed = (bits: number) => number

function writeSegments(d: BoolWriter, segments: string, random: Random, signed: Signed): void {
  d.bool(segments === 'none' ? 0 : 1)
  if (segments === 'none') return
  const hasMap = segments.includes('map')
  const hasValues = segments.includes('values')
  d.bool(hasMap ? 1 : 0)
  d.bool(hasValues ? 1 : 0)
  if (hasValues) {
    d.bool(segments.includes('added') ? 0 : 1)
    for (let i = 0; i < 4; i++) d.optionalSigned(signed(7), 7)
    for (let i = 0; i < 4; i++) d.optionalSigned(signed(6), 6)
  }
  for (let i = 0; hasMap && i < 3; i++) {
    const isSaid = below(2, random)
    d.bool(isSaid)
    if (isSaid > 0) d.literal(below(256, random), 8)
  }
}

function writeFilter(d: BoolWriter, filter: string, random: Random, signed: Signed): void {
  d.bool(filter === 'simple' ? 1 : 0)
  d.literal(filter === 'none' ? 0 : 1 + below(63, random), 6)
  d.literal(below(8, random), 3)
  const hasDeltas = filter.includes('other') ? 1 : 0
  d.bool(hasDeltas)
  if (hasDeltas === 0) return
  d.bool(1)
  for (let i = 0; i < 8; i++) d.optionalSigned(signed(6), 6)
}
