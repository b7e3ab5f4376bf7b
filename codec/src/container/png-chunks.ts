import { bytesBE, concat, fourCC, hasText, textBytes, uint32BE } from '../bytes.ts'
import { crc32 } from '../checksum.ts'
import type { Chunk } from './chunk.ts'
import { requireFewParts } from './part-limit.ts'

/** The first eight bytes of every PNG (PNG 3rd edition, 5.2). */
export const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n'

/** Whether a file has the signature of PNG. */
export function isPng(bytes: Uint8Array): boolean {
  return hasText(bytes, 0, PNG_SIGNATURE)
}

/** Walks a PNG's chunks up to and including IEND (PNG 3rd edition, 5.3). The file may end within the last one. */
export function* pngChunks(bytes: Uint8Array): Generator<Chunk> {
  let start = PNG_SIGNATURE.length
  for (let count = 1; ; count++) {
    requireFewParts(count)
    const length = uint32BE(bytes, start)
    const type = fourCC(bytes, start + 4)
    if (length === undefined || type === undefined) return
    const body = start + 8
    const end = body + length + 4
    yield { type, start, body, bodyEnd: Math.min(body + length, bytes.length), end, whole: end <= bytes.length }
    if (type === 'IEND' || end > bytes.length) return
    start = end
  }
}

/** Whether a chunk is whole, and has the CRC of its type and body. Browsers ignore other ancillary chunks. */
export function isIntact(bytes: Uint8Array, { start, bodyEnd, whole }: Chunk): boolean {
  return whole && uint32BE(bytes, bodyEnd) === crc32(bytes.subarray(start + 4, bodyEnd))
}

/** Writes a chunk: length, type, body, and the CRC of type and body (PNG 3rd edition, 5.3). */
export function pngChunk(type: string, body: Uint8Array = new Uint8Array()): Uint8Array {
  const typeAndBody = concat([textBytes(type), body])
  return concat([bytesBE(body.length, 4), typeAndBody, bytesBE(crc32(typeAndBody), 4)])
}
