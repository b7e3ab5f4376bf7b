import { concat, lengthOf, textBytes, uint32BE } from '../bytes.ts'
import type { Chunk } from '../container/chunk.ts'
import { isIntact, PNG_SIGNATURE, pngChunk, pngChunks } from '../container/png-chunks.ts'
import { cutZlib } from '../container/zlib/cut.ts'
import { inflateStart, measureZlib } from '../container/zlib/extent.ts'
import { orientationExif } from '../exif.ts'
import type { Orientation } from '../format.ts'
import { filteredBytes, type PngFacts } from '../probe/png.ts'

/** The header of an ICC profile, which begins with the profile's size. */
const PROFILE_HEADER_BYTES = 128
const PROFILE_SIZE_BYTES = 4

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
  const retained = [...pngChunks(bytes)].filter((chunk) => isNeeded(bytes, chunk))
  const firstPixels = retained.findIndex(({ type }) => type === 'IDAT')
  const copies = retained.map((chunk) => (chunk.type === 'iCCP' ? namelessProfile(bytes, chunk) : copyOf(bytes, chunk)))
  if (orientation !== 1) copies.splice(firstPixels, 0, pngChunk('eXIf', orientationExif(orientation)))
  return concat([textBytes(PNG_SIGNATURE), ...copies])
}

/**
 * A PNG whose image data ends with its last row, and its IDAT chunks with the image data; the same if they do. It decodes all
 * symbols: some 20 ms a megabyte, 130 at most. Rows are inflated only if more follows them.
 */
export function trimPng(bytes: Uint8Array, facts: PngFacts): Uint8Array {
  const chunks = [...pngChunks(bytes)]
  const imageData = chunks.filter(({ type }) => type === 'IDAT').map((chunk) => bodyOf(bytes, chunk))
  const extent = measureZlib(imageData)
  if (!extent) return bytes
  const rowsBytes = filteredBytes(facts)
  const cut = extent.inflatedBytes > rowsBytes ? cutZlib(imageData, rowsBytes) : undefined
  if (cut) return withImageData(bytes, chunks, [cut])
  return extent.bytes < lengthOf(imageData) ? withImageData(bytes, chunks, firstBytes(imageData, extent.bytes)) : bytes
}

/** The PNG with other IDAT chunks, each of these bytes. */
function withImageData(bytes: Uint8Array, chunks: readonly Chunk[], bodies: readonly Uint8Array[]): Uint8Array {
  const isImageData = ({ type }: Chunk) => type === 'IDAT'
  const first = chunks.findIndex(isImageData)
  const others = chunks.filter((chunk) => !isImageData(chunk)).map((chunk) => copyOf(bytes, chunk))
  others.splice(first, 0, ...bodies.map((body) => pngChunk('IDAT', body)))
  return concat([textBytes(PNG_SIGNATURE), ...others])
}

/** The first bytes of all parts, without parts of no bytes at the end. */
function firstBytes(parts: readonly Uint8Array[], count: number): Uint8Array[] {
  let left = count
  return parts.flatMap((part) => {
    const taken = part.subarray(0, left)
    const isNeeded = left > 0
    left -= taken.length
    return isNeeded ? [taken] : []
  })
}

function bodyOf(bytes: Uint8Array, { body, bodyEnd }: Chunk): Uint8Array {
  return bytes.subarray(body, bodyEnd)
}

function copyOf(bytes: Uint8Array, { start, end }: Chunk): Uint8Array {
  return bytes.subarray(start, end)
}

/**
 * An iCCP chunk without bytes after its profile, whose profile has no name, which often is that of a device (PNG 3rd edition,
 * 11.3.2.3).
 */
function namelessProfile(bytes: Uint8Array, chunk: Chunk): Uint8Array {
  const nameEnd = bytes.indexOf(0, chunk.body)
  if (!chunk.whole || nameEnd < 0 || nameEnd >= chunk.bodyEnd) return copyOf(bytes, chunk)
  // After the name come its zero and the compression method.
  const stream = nameEnd + 2
  const profile = cutProfile(bytes.subarray(stream, chunk.bodyEnd))
  return pngChunk('iCCP', concat([textBytes('ICC'), bytes.subarray(nameEnd, stream), profile]))
}

/** The zlib stream of a profile without what follows the profile in it (ICC.1:2022, 7.2.2), or follows it. */
function cutProfile(stream: Uint8Array): Uint8Array {
  const extent = measureZlib([stream])
  if (!extent) return stream
  const size = uint32BE(inflateStart(stream, PROFILE_SIZE_BYTES) ?? new Uint8Array(), 0) ?? 0
  const hasMore = size >= PROFILE_HEADER_BYTES && size < extent.inflatedBytes
  return (hasMore && cutZlib([stream], size)) || stream.subarray(0, extent.bytes)
}

/** Whether a chunk stays. Damaged ancillary ones go: no decoder reads them. */
function isNeeded(bytes: Uint8Array, chunk: Chunk): boolean {
  const { type } = chunk
  return (type >= 'A' && type < '[') || (NEEDED.has(type) && isIntact(bytes, chunk))
}
