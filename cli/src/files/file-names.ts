import path from 'node:path'
import { FORMATS } from 'tintype-codec/format'
import { FILE_NAME_MAX_BYTES } from '../limits.ts'

const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i
/** Separators and wildcards of any file system, control characters, and marks that reverse the direction of a text. */
const UNSAFE = /[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

const EXTENSIONS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.values(FORMATS).map(({ mediaType, extension }) => [
    mediaType,
    mediaType === 'image/jpeg' ? ['.jpg', '.jpeg', '.jpe', '.jfif'] : [`.${extension}`],
  ]),
)

/**
 * Returns a file name for a name that a host shows. Letters of every script are kept. It is one part of a path, on each system,
 * and ends like an image.
 */
export function safeFileName(name: string, mediaType: string | undefined): string {
  const cleaned = cleanedName(name)
  const known = mediaType === undefined ? undefined : EXTENSIONS[mediaType]
  const allowed = known ?? Object.values(EXTENSIONS).flat()
  const own = path.extname(cleaned)
  const hasImageExtension = allowed.includes(own.toLowerCase())
  const extension = hasImageExtension ? own : (allowed[0] ?? '')
  const stem = hasImageExtension ? cleaned.slice(0, -own.length) : cleaned
  return withReservedNames(cut(stem || 'image', FILE_NAME_MAX_BYTES - Buffer.byteLength(extension)) + extension)
}

/** Returns a safe name for the folder of a gallery. */
export function safeFolderName(name: string, otherwise: string): string {
  return withReservedNames(cut(cleanedName(name) || cleanedName(otherwise) || 'gallery', FILE_NAME_MAX_BYTES))
}

/** Adds a number to names that were returned before. Names that differ in case alone are one file on some systems. */
export function uniqueNames(): (name: string) => string {
  const used = new Set<string>()
  return (name) => {
    const extension = path.extname(name)
    const stem = name.slice(0, name.length - extension.length)
    for (let count = 1; ; count++) {
      const unique = count === 1 ? name : `${stem} (${count})${extension}`
      const key = unique.normalize('NFC').toLowerCase()
      if (used.has(key)) continue
      used.add(key)
      return unique
    }
  }
}

/** A name that begins with a dot would be hidden, and one with a hyphen an option. Windows drops dots and spaces at the end. */
function cleanedName(name: string): string {
  return name
    .toWellFormed()
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
    .replace(/^-/, '_')
}

function withReservedNames(name: string): string {
  return RESERVED.test(name) ? `_${name}` : name
}

/** Cuts between characters. */
function cut(text: string, maxBytes: number): string {
  let start = ''
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    if (Buffer.byteLength(start + segment) > maxBytes) break
    start += segment
  }
  return start.trimEnd()
}
