import { bytesLE, concat, textBytes, uint24LE } from '../bytes.ts'
import { riffChunks, webpChunks } from '../container/webp-chunks.ts'
import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'

const ANMF_HEADER_BYTES = 16
const FLAG_ALPHA = 0x10
const FLAG_PROFILE = 0x20

/** A still WebP file and where its picture stands on the canvas. */
export interface WebpFrame {
  bytes: Uint8Array
  left: number
  top: number
}

/** The first frame of an animation as a file of its own; `undefined` when the file is a still (WebP Container Specification, "Animation"). */
export function findFirstFrame(bytes: Uint8Array): WebpFrame | undefined {
  for (const { type, body, bodyEnd } of webpChunks(bytes)) {
    if (type !== 'ANMF') continue
    const [x = 0, y = 0, width = 0, height = 0] = [0, 3, 6, 9].map((at) => uint24LE(bytes, body + at))
    const chunks = [...riffChunks(bytes, body + ANMF_HEADER_BYTES, bodyEnd)]
      .filter((chunk) => ['ALPH', 'VP8 ', 'VP8L'].includes(chunk.type))
      .map((chunk) => riffChunk(chunk.type, bytes.subarray(chunk.body, chunk.bodyEnd)))
    const hasAlpha = chunks.length > 1
    const header = extendedHeader({ width: width + 1, height: height + 1 }, hasAlpha ? FLAG_ALPHA : 0)
    // Only a frame with its alpha apart needs the extended form. Offsets count in twos.
    return { bytes: webpFile(hasAlpha ? [header, ...chunks] : chunks), left: 2 * x, top: 2 * y }
  }
  return undefined
}

/** The first VP8 frame of a file, of a still or an animation. Throws ImageRefusal when it is cut short. */
export function findLossyFrame(bytes: Uint8Array): Uint8Array | undefined {
  for (const chunk of webpChunks(bytes)) {
    const chunks = chunk.type === 'ANMF' ? riffChunks(bytes, chunk.body + ANMF_HEADER_BYTES, chunk.bodyEnd) : [chunk]
    for (const { type, body, bodyEnd, whole } of chunks) {
      if (type !== 'VP8 ') continue
      if (!whole) throw new ImageRefusal('unreadable', 'the WebP ends before its picture does')
      return bytes.subarray(body, bodyEnd)
    }
  }
  return undefined
}

/** The same still picture with an ICC profile. */
export function withColourProfile(webp: Uint8Array, size: Size, profile: Uint8Array): Uint8Array {
  const chunks = [...webpChunks(webp)].filter(({ type }) => type !== 'VP8X')
  const alpha = chunks.some(({ type }) => type === 'ALPH') ? FLAG_ALPHA : 0
  return webpFile([
    extendedHeader(size, FLAG_PROFILE | alpha),
    riffChunk('ICCP', profile),
    ...chunks.map(({ start, end }) => webp.subarray(start, end)),
  ])
}

function extendedHeader({ width, height }: Size, flags: number): Uint8Array {
  return riffChunk('VP8X', concat([bytesLE(flags, 4), bytesLE(width - 1, 3), bytesLE(height - 1, 3)]))
}

function webpFile(chunks: Uint8Array[]): Uint8Array {
  return riffChunk('RIFF', concat([textBytes('WEBP'), ...chunks]))
}

/** A chunk of an odd length is followed by a zero byte. */
function riffChunk(type: string, body: Uint8Array): Uint8Array {
  return concat([textBytes(type), bytesLE(body.length, 4), body, new Uint8Array(body.length % 2)])
}
