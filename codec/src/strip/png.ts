import { concat, textBytes } from '../bytes.ts'
import type { Chunk } from '../container/chunk.ts'
import { PNG_SIGNATURE, pngChunk, pngChunks } from '../container/png-chunks.ts'
import { orientationExif } from '../exif.ts'
import type { Orientation } from '../format.ts'

/** Ancillary chunks that decoders need, and those of an animation. The types of critical chunks begin with a capital. */
const NEEDED = new Set(
  ['tRNS', 'bKGD', 'pHYs', 'sBIT'] // transparency, background, density, significant bits
    .concat(['cICP', 'mDCV', 'mDCv', 'cLLI', 'cLLi', 'iCCP', 'sRGB', 'gAMA', 'cHRM']) // colour
    .concat(['acTL', 'fcTL', 'fdAT']),
)

/** A PNG without metadata: keeps the critical chunks and those that decoders need, and adds the orientation. */
export function stripPng(bytes: Uint8Array, orientation: Orientation): Uint8Array {
  const retained = [...pngChunks(bytes)].filter(isNeeded)
  const firstPixels = retained.findIndex(({ type }) => type === 'IDAT')
  const copies = retained.map((chunk) => (chunk.type === 'iCCP' ? namelessProfile(bytes, chunk) : copyOf(bytes, chunk)))
  if (orientation !== 1) copies.splice(firstPixels, 0, pngChunk('eXIf', orientationExif(orientation)))
  return concat([textBytes(PNG_SIGNATURE), ...copies])
}

function copyOf(bytes: Uint8Array, { start, end }: Chunk): Uint8Array {
  return bytes.subarray(start, end)
}

/** An iCCP chunk whose profile has no name, which often is that of a device (PNG 3rd edition, 11.3.2.3). */
function namelessProfile(bytes: Uint8Array, chunk: Chunk): Uint8Array {
  const nameEnd = bytes.indexOf(0, chunk.body)
  if (!chunk.whole || nameEnd < 0 || nameEnd >= chunk.bodyEnd) return copyOf(bytes, chunk)
  return pngChunk('iCCP', concat([textBytes('ICC'), bytes.subarray(nameEnd, chunk.bodyEnd)]))
}

function isNeeded({ type }: Chunk): boolean {
  return NEEDED.has(type) || (type >= 'A' && type < '[')
}
