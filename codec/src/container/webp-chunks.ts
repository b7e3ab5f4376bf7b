import { bytesLE, concat, fourCC, hasText, lengthOf, textBytes, uint32LE } from '../bytes.ts'
import type { Chunk } from './chunk.ts'
import { requireFewParts } from './part-limit.ts'

const RIFF_HEADER_BYTES = 12

/** Whether a file has the signature of WebP. */
export function isWebp(bytes: Uint8Array): boolean {
  return hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP')
}

/** Walks the chunks of a WebP file up to its RIFF size (WebP Container Specification, "WebP File Header"). */
export function webpChunks(bytes: Uint8Array): Generator<Chunk> {
  const riffEnd = 8 + (uint32LE(bytes, 4) ?? 0)
  return riffChunks(bytes, RIFF_HEADER_BYTES, Math.min(riffEnd, bytes.length))
}

/** Walks the chunks between two offsets, such as those of an animation frame. The last one may be incomplete. */
export function* riffChunks(bytes: Uint8Array, from: number, to: number): Generator<Chunk> {
  let start = from
  for (let count = 1; start + 8 <= to; count++) {
    requireFewParts(count)
    const type = fourCC(bytes, start)
    const length = uint32LE(bytes, start + 4)
    if (type === undefined || length === undefined) return
    const body = start + 8
    const bodyEnd = Math.min(body + length, to)
    const end = body + length + (length % 2)
    yield { type, start, body, bodyEnd, end: Math.min(end, to), whole: body + length <= to }
    start = end
  }
}

/**
 * Writes a chunk, as pieces that are not copied: FourCC, length, payload, and a padding byte after an odd length (WebP Container
 * Specification, "RIFF File Format").
 */
export function riffChunk(type: string, ...payload: readonly Uint8Array[]): Uint8Array[] {
  const bytes = lengthOf(payload)
  return [textBytes(type), bytesLE(bytes, 4), ...payload, new Uint8Array(bytes % 2)]
}

/** Writes a WebP file of the pieces of its chunks, which are copied once. */
export function webpFile(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concat(riffChunk('RIFF', textBytes('WEBP'), ...chunks))
}
