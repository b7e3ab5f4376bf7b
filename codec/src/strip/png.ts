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
  const copies = retained.map(({ start, end }) => bytes.subarray(start, end))
  if (orientation !== 1) copies.splice(firstPixels, 0, pngChunk('eXIf', orientationExif(orientation)))
  return concat([textBytes(PNG_SIGNATURE), ...copies])
}

function isNeeded({ type }: Chunk): boolean {
  return NEEDED.has(type) || (type >= 'A' && type < '[')
}
