import { concat, textBytes } from '../bytes.ts'
import type { Chunk } from '../container/chunk.ts'
import { PNG_SIGNATURE, pngChunk, pngChunks } from '../container/png-chunks.ts'
import { zlibEnd } from '../container/zlib-end.ts'
import { orientationExif } from '../exif.ts'
import type { Orientation } from '../format.ts'

/** Ancillary chunks that decoders need, and those of an animation. The types of critical chunks begin with a capital. */
const NEEDED = new Set(
  ['tRNS', 'bKGD', 'pHYs', 'sBIT'] // transparency, background, density, significant bits
    .concat(['cICP', 'mDCV', 'mDCv', 'cLLI', 'cLLi', 'iCCP', 'sRGB', 'gAMA', 'cHRM']) // colour
    .concat(['acTL', 'fcTL', 'fdAT']),
)

/**
 * A PNG without metadata: keeps the critical chunks and those that decoders need, and adds the orientation. What follows the
 * image data in its chunks stays: `trimPng` removes it, and takes longer.
 */
export function stripPng(bytes: Uint8Array, orientation: Orientation): Uint8Array {
  const retained = [...pngChunks(bytes)].filter(isNeeded)
  const firstPixels = retained.findIndex(({ type }) => type === 'IDAT')
  const copies = retained.map((chunk) => (chunk.type === 'iCCP' ? namelessProfile(bytes, chunk) : copyOf(bytes, chunk)))
  if (orientation !== 1) copies.splice(firstPixels, 0, pngChunk('eXIf', orientationExif(orientation)))
  return concat([textBytes(PNG_SIGNATURE), ...copies])
}

/** A PNG whose IDAT chunks end with the image data, the same if they do. It decodes all symbols: some 20 ms a megabyte. */
export function trimPng(bytes: Uint8Array): Uint8Array {
  const chunks = [...pngChunks(bytes)]
  const end = imageDataEnd(bytes, chunks)
  if (end === undefined) return bytes
  const isCut = ({ type, bodyEnd }: Chunk) => type === 'IDAT' && bodyEnd > end
  const copies = chunks.map((chunk) => (isCut(chunk) ? dataUpTo(bytes, chunk, end) : copyOf(bytes, chunk)))
  return concat([textBytes(PNG_SIGNATURE), ...copies])
}

function copyOf(bytes: Uint8Array, { start, end }: Chunk): Uint8Array {
  return bytes.subarray(start, end)
}

/** The offset in the file at which the image data ends; undefined where nothing follows it in its chunks, or it is cut. */
function imageDataEnd(bytes: Uint8Array, chunks: readonly Chunk[]): number | undefined {
  const pixels = chunks.filter(({ type }) => type === 'IDAT')
  let left = zlibEnd(pixels.map(({ body, bodyEnd }) => bytes.subarray(body, bodyEnd)))
  if (left === undefined) return undefined
  for (const { body, bodyEnd } of pixels) {
    if (left < bodyEnd - body) return body + left
    left -= bodyEnd - body
  }
  return undefined
}

/** The part of an IDAT chunk up to an offset in the file, in a chunk of its own; empty if the chunk begins after it. */
function dataUpTo(bytes: Uint8Array, { body }: Chunk, end: number): Uint8Array {
  return body < end ? pngChunk('IDAT', bytes.subarray(body, end)) : new Uint8Array()
}

/** An iCCP chunk whose profile has no name, which often is that of a device (PNG 3rd edition, 11.3.2.3). */
function namelessProfile(bytes: Uint8Array, chunk: Chunk): Uint8Array {
  const nameEnd = bytes.indexOf(0, chunk.body)
  if (!chunk.whole || nameEnd < 0 || nameEnd >= chunk.bodyEnd) return copyOf(bytes, chunk)
  // After the name come its zero and the compression method.
  const stream = nameEnd + 2
  const end = stream + (zlibEnd([bytes.subarray(stream, chunk.bodyEnd)]) ?? chunk.bodyEnd - stream)
  return pngChunk('iCCP', concat([textBytes('ICC'), bytes.subarray(nameEnd, end)]))
}

function isNeeded({ type }: Chunk): boolean {
  return NEEDED.has(type) || (type >= 'A' && type < '[')
}
