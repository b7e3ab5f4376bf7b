import { bytesLE, uint24LE } from '../bytes.ts'
import type { Chunk } from '../container/chunk.ts'
import { riffChunk, riffChunks, webpChunks, webpFile } from '../container/webp-chunks.ts'
import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'

const ANMF_HEADER_BYTES = 16
const FLAG_ALPHA = 0x10
const FLAG_PROFILE = 0x20

/** The payloads of a WebP's first frame, and its position on the canvas (WebP Container Specification). */
export interface WebpFrame {
  /** A VP8 or VP8L bitstream. */
  coding: 'VP8 ' | 'VP8L'
  bitstream: Uint8Array
  /** The payload of the ALPH chunk that goes with a VP8 bitstream. */
  alpha: Uint8Array | undefined
  /** Of an animation: the place of its first frame on the canvas. */
  area: (Size & { left: number; top: number }) | undefined
}

/** The image of a still or the first frame of an animation. Throws ImageRefusal when it is cut short or not there. */
export function findFirstFrame(bytes: Uint8Array): WebpFrame {
  const animated = [...webpChunks(bytes)].find(({ type }) => type === 'ANMF')
  if (!animated) return { ...findPayloads(bytes, webpChunks(bytes)), area: undefined }
  const { body, bodyEnd } = animated
  const [x = 0, y = 0, width = 0, height = 0] = [0, 3, 6, 9].map((at) => uint24LE(bytes, body + at))
  const frame = findPayloads(bytes, riffChunks(bytes, body + ANMF_HEADER_BYTES, bodyEnd))
  // Offsets count in twos.
  return { ...frame, area: { left: 2 * x, top: 2 * y, width: width + 1, height: height + 1 } }
}

function findPayloads(bytes: Uint8Array, chunks: Iterable<Chunk>): Pick<WebpFrame, 'coding' | 'bitstream' | 'alpha'> {
  let alpha: Uint8Array | undefined
  for (const { type, body, bodyEnd, whole } of chunks) {
    if (type !== 'ALPH' && type !== 'VP8 ' && type !== 'VP8L') continue
    if (!whole) break
    const payload = bytes.subarray(body, bodyEnd)
    if (type === 'ALPH') alpha ??= payload
    else return { coding: type, bitstream: payload, alpha }
  }
  throw new ImageRefusal('unreadable', 'the WebP ends before its picture does')
}

/** A copy of a lossy WebP of the simple form, with the payload of an ALPH chunk and an ICC profile where there are any. */
export function extendWebp(
  lossy: Uint8Array,
  size: Size,
  { alpha, profile }: { alpha: Uint8Array | undefined; profile: Uint8Array | undefined },
): Uint8Array<ArrayBuffer> {
  if (!alpha && !profile) return lossy.slice()
  return webpFile([
    ...extendedHeader(size, (profile ? FLAG_PROFILE : 0) | (alpha ? FLAG_ALPHA : 0)),
    ...(profile ? riffChunk('ICCP', profile) : []),
    ...(alpha ? riffChunk('ALPH', alpha) : []),
    ...[...webpChunks(lossy)].map(({ start, end }) => lossy.subarray(start, end)),
  ])
}

/** A WebP of a lossless stream, and an ICC profile where there is one. */
export function losslessWebp(stream: Uint8Array, size: Size, profile: Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  const chunk = riffChunk('VP8L', stream)
  if (!profile) return webpFile(chunk)
  // Bit 28 behind the signature: alpha_is_used.
  const alpha = ((stream[4] ?? 0) & 0x10) === 0 ? 0 : FLAG_ALPHA
  return webpFile([...extendedHeader(size, FLAG_PROFILE | alpha), ...riffChunk('ICCP', profile), ...chunk])
}

function extendedHeader({ width, height }: Size, flags: number): Uint8Array[] {
  return riffChunk('VP8X', bytesLE(flags, 4), bytesLE(width - 1, 3), bytesLE(height - 1, 3))
}
