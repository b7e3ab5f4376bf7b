import { concat, hasText } from './bytes.ts'
import { itemBytes, readItems } from './container/avif-items.ts'
import { isKind, jpegHeader, MARKER } from './container/jpeg-segments.ts'
import { pngChunks } from './container/png-chunks.ts'
import { webpChunks } from './container/webp-chunks.ts'
import { hasLatitude } from './exif.ts'
import type { Format } from './format.ts'

/** The bytes before the TIFF file in an Exif item, which say where it begins (ISO/IEC 23008-12, A.2.1). */
const EXIF_ITEM_HEADER_BYTES = 4
/** The word for a place in XMP (Exif for XMP). */
const LOCATION_TAG = 'GPSLatitude'
/** More XMP than any camera writes; a stream may grow a thousandfold. */
const INFLATED_MAX_BYTES = 2 ** 20
/** Maximum length of a text profile that is searched. */
const RAW_PROFILE_MAX_BYTES = 2 ** 16

/**
 * Whether the metadata of an image tell where it was taken: in EXIF, or in XMP, also where a PNG has compressed it. Throws
 * ImageRefusal as `probe` does.
 */
export async function hasLocation(bytes: Uint8Array, format: Format): Promise<boolean> {
  for (const metadata of METADATA[format](bytes)) {
    if (hasLocationTag(metadata)) return true
  }
  if (format !== 'png') return false
  for (const { type, body, bodyEnd } of pngChunks(bytes)) {
    const text = TEXT_CHUNKS[type]?.(bytes.subarray(body, bodyEnd))
    if (text === undefined) continue
    const whole = text.isCompressed ? await inflated(text.content) : text.content
    if (hasLocationTag(whole) || hasLocationTag(rawProfile(whole))) return true
  }
  return false
}

function hasLocationTag(metadata: Uint8Array): boolean {
  return hasLatitude(metadata) || holdsText(metadata, LOCATION_TAG)
}

/** The part of a text chunk after the keyword. */
interface ChunkText {
  content: Uint8Array
  isCompressed: boolean
}

/** How the chunks of text of a PNG are read (PNG 3rd edition, 11.3.3); undefined for one that is broken. */
const TEXT_CHUNKS: Readonly<Record<string, (chunk: Uint8Array) => ChunkText | undefined>> = {
  tEXt: (chunk) => afterZeros(chunk, 1, 0, false),
  // The keyword, a zero, and the method, of which there is one.
  zTXt: (chunk) => afterZeros(chunk, 1, 1, true),
  // The keyword, a zero, flag and method, language and translated keyword, each with a zero.
  iTXt(chunk) {
    const flag = chunk.indexOf(0) + 1
    const rest = afterZeros(chunk.subarray(flag + 2), 2, 0, chunk[flag] === 1)
    return flag === 0 ? undefined : rest
  },
}

/** Returns the text after this many zeros and further bytes. */
function afterZeros(chunk: Uint8Array, zeros: number, more: number, isCompressed: boolean): ChunkText | undefined {
  let at = 0
  for (let count = 0; count < zeros; count++) {
    const zero = chunk.indexOf(0, at)
    if (zero < 0) return undefined
    at = zero + 1
  }
  return { content: chunk.subarray(at + more), isCompressed }
}

/** The bytes of a profile that is written as text, as ImageMagick does: its name, its length and hexadecimal digits, on lines. */
function rawProfile(text: Uint8Array): Uint8Array {
  const digits =
    /^\n\w+\n\s*\d+\n([0-9a-f\n]+)/i.exec(String.fromCharCode(...text.subarray(0, RAW_PROFILE_MAX_BYTES)))?.[1] ?? ''
  const pairs = digits.replaceAll('\n', '').match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}

/** The beginning of what a zlib stream holds, as far as it can be read: what is broken or larger tells nothing more. */
async function inflated(stream: Uint8Array): Promise<Uint8Array> {
  if (stream.length === 0) return stream
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    const decompressor = new DecompressionStream('deflate')
    for await (const part of new Blob([stream.slice()]).stream().pipeThrough(decompressor)) {
      chunks.push(part)
      length += part.length
      if (length > INFLATED_MAX_BYTES) break
    }
  } catch {
    // The text so far is searched.
  }
  return concat(chunks)
}

/** The parts of a file that hold EXIF or XMP, by its format. */
const METADATA: Record<Format, (bytes: Uint8Array) => Iterable<Uint8Array>> = {
  *jpeg(bytes) {
    for (const segment of jpegHeader(bytes)) {
      const isMetadata = isKind(bytes, segment, 'Exif\0') || isKind(bytes, segment, 'http://ns.adobe.com/')
      if (segment.marker === MARKER.APP1 && isMetadata) yield bytes.subarray(segment.body, segment.bodyEnd)
    }
  },
  *png(bytes) {
    for (const { type, body, bodyEnd } of pngChunks(bytes)) {
      if (type === 'eXIf') yield bytes.subarray(body, bodyEnd)
    }
  },
  *webp(bytes) {
    for (const { type, body, bodyEnd } of webpChunks(bytes)) {
      if (type === 'EXIF' || type === 'XMP ') yield bytes.subarray(body, bodyEnd)
    }
  },
  *avif(bytes) {
    for (const item of readItems(bytes)?.items.values() ?? []) {
      if (item.type === 'Exif') yield itemBytes(bytes, item).subarray(EXIF_ITEM_HEADER_BYTES)
      if (item.type === 'mime') yield itemBytes(bytes, item)
    }
  },
  // Its only metadata is XMP in an application extension, which cameras do not write.
  gif: () => [],
}

function holdsText(bytes: Uint8Array, text: string): boolean {
  const first = text.charCodeAt(0)
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    if (hasText(bytes, at, text)) return true
  }
  return false
}
