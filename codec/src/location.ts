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
/** More text than any camera writes; a stream may grow a thousandfold. */
const TEXT_MAX_BYTES = 2 ** 20

/** Whether a file has location data. It is `unknown` if some of its metadata could not be read. */
export type LocationPresence = 'present' | 'absent' | 'unknown'

/**
 * Searches the metadata of an image for location data: EXIF and XMP, also where a PNG has compressed them. Throws
 * ImageRefusal as `probe` does.
 */
export async function findLocation(bytes: Uint8Array, format: Format): Promise<LocationPresence> {
  for (const metadata of METADATA[format](bytes)) {
    if (hasLocationTag(metadata)) return 'present'
  }
  return format === 'png' ? findInTexts(bytes) : 'absent'
}

/** Searches the text chunks of a PNG. */
async function findInTexts(bytes: Uint8Array): Promise<LocationPresence> {
  let isSearched = true
  for (const { type, body, bodyEnd } of pngChunks(bytes)) {
    const chunk = TEXT_CHUNKS[type]?.(bytes.subarray(body, bodyEnd))
    if (chunk === undefined) continue
    const { text, isWhole } = chunk.isCompressed ? await inflate(chunk.content) : beginningOf(chunk.content)
    if (hasLocationTag(text) || hasLocationTag(rawProfile(text))) return 'present'
    isSearched &&= isWhole
  }
  return isSearched ? 'absent' : 'unknown'
}

function hasLocationTag(metadata: Uint8Array): boolean {
  return hasLatitude(metadata) || holdsText(metadata, LOCATION_TAG)
}

/** A text, or as much of it as can be read. */
interface ReadText {
  text: Uint8Array
  isWhole: boolean
}

/** The part of a text chunk after the keyword. */
interface ChunkText {
  content: Uint8Array
  isCompressed: boolean
}

/** Readers of a PNG's text chunks (PNG 3rd edition, 11.3.3). They return undefined for a malformed chunk. */
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

/** Returns the bytes of a profile in ImageMagick's text form: its name, its length and hexadecimal digits, on lines. */
function rawProfile(text: Uint8Array): Uint8Array {
  const digits = /^\n\w+\n\s*\d+\n([0-9a-f\n]+)/i.exec(new TextDecoder('latin1').decode(text))?.[1] ?? ''
  const pairs = digits.replaceAll('\n', '').match(/../g) ?? []
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16))
}

function beginningOf(text: Uint8Array): ReadText {
  return { text: text.subarray(0, TEXT_MAX_BYTES), isWhole: text.length <= TEXT_MAX_BYTES }
}

/**
 * Inflates the beginning of a zlib stream. A text that is broken, too long, or in a runtime without DecompressionStream
 * is not whole. Reads by `getReader`, because WebKit cannot iterate a ReadableStream.
 */
async function inflate(stream: Uint8Array): Promise<ReadText> {
  const chunks: Uint8Array[] = []
  let length = 0
  let isWhole = false
  try {
    const decompressor = new DecompressionStream('deflate')
    const reader = new Blob([stream.slice()]).stream().pipeThrough(decompressor).getReader()
    while (length <= TEXT_MAX_BYTES && !isWhole) {
      const { done, value } = await reader.read()
      isWhole = done
      if (!value) continue
      chunks.push(value)
      length += value.length
    }
    if (!isWhole) void reader.cancel().catch(() => undefined)
  } catch {
    isWhole = false
  }
  return { text: concat(chunks), isWhole }
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
