import { fourLetters, hasText, uint32BE } from '../bytes.ts'
import { requireFewParts } from './part-limit.ts'

const SIGNATURE = '\x89PNG\r\n\x1a\n'

/** A chunk as offsets into the file. */
export interface PngChunk {
  type: string
  /** Of the length field. */
  start: number
  body: number
  bodyEnd: number
  /** After the CRC. */
  end: number
  /** Whether the file holds all of it. */
  whole: boolean
}

export function isPng(bytes: Uint8Array): boolean {
  return hasText(bytes, 0, SIGNATURE)
}

/** Walks a PNG's chunks up to and including IEND (PNG 3rd edition, 5.3). The last one may be cut short by the end of the file. */
export function* pngChunks(bytes: Uint8Array): Generator<PngChunk> {
  let start = SIGNATURE.length
  for (let count = 1; ; count++) {
    requireFewParts(count)
    const length = uint32BE(bytes, start)
    const type = fourLetters(bytes, start + 4)
    if (length === undefined || type === undefined) return
    const body = start + 8
    const end = body + length + 4
    yield { type, start, body, bodyEnd: Math.min(body + length, bytes.length), end, whole: end <= bytes.length }
    if (type === 'IEND' || end > bytes.length) return
    start = end
  }
}
