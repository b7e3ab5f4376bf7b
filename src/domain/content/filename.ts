import { FORMATS, type Format } from 'tintype-codec/interface'
import { IMAGE_NAME_MAX_CHARACTERS } from '../../limits.ts'

const NAMELESS = 'image'
/** Extensions of JPEG files besides `jpg`. */
const JPEG_EXTENSIONS = /^(?:jpeg|jpe|jfif)$/i
/** Characters that are not seen, some of which change the direction of others. Those that join letters belong to some scripts. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu

/** The stored name of an image (D8): `[a-z0-9_-]+` from the name that was sent, with the extension of the stored format. */
export function imageName(sentName: string, format: Format): string {
  const stem = lastPathComponent(percentDecoded(sentName))
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .slice(0, IMAGE_NAME_MAX_CHARACTERS)
    .replace(/^-+|-+$/g, '')
  return `${stem || NAMELESS}.${FORMATS[format].extension}`
}

/**
 * Returns the name that pages show: the sent name in its case and script, without folders and unseen characters. Its extension is that of the
 * stored format. Null if this is the stored name, or nothing remains.
 */
export function displayName(sentName: string, storedName: string): string | null {
  const sent = lastComponentOf(sentName)
  const [, beforeDot = sent, sentExtension = ''] = /^(.*)\.([^.]*)$/s.exec(sent) ?? []
  const seen = visible(beforeDot)
  const stem = Array.from(seen).slice(0, IMAGE_NAME_MAX_CHARACTERS).join('').trim()
  const extension = storedName.slice(storedName.lastIndexOf('.') + 1)
  const isSame =
    sentExtension.toLowerCase() === extension || (extension === 'jpg' && JPEG_EXTENSIONS.test(sentExtension))
  const shown = `${stem}.${isSame ? sentExtension : extension}`
  return stem === '' || shown === storedName ? null : shown
}

/** Returns the name that pages show of a file that was not stored: the sent name, without folders and unseen characters. */
export function refusedName(sentName: string): string {
  return (
    Array.from(visible(lastComponentOf(sentName)))
      .slice(0, IMAGE_NAME_MAX_CHARACTERS)
      .join('') || NAMELESS
  )
}

function lastComponentOf(sentName: string): string {
  return lastPathComponent(percentDecoded(sentName)).toWellFormed().normalize('NFC')
}

function visible(text: string): string {
  return text.replace(/\s+/g, ' ').replace(UNSEEN, '').trim()
}

/** Returns the name of an image for people: its display name, or else the stored name. */
export function nameForPeople(image: { name: string; displayName: string | null }): string {
  return image.displayName ?? image.name
}

/**
 * The text that was percent-encoded (RFC 3986, 2.1), if all of it is: it has an escape, and nothing that would have been one.
 * Any other text, and one that does not decode to UTF-8, as it is.
 */
function percentDecoded(text: string): string {
  if (!/^(?:[!-$&-~]|%[0-9a-f]{2})*$/i.test(text) || !text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns the name for a file on a reader's disk: an underscore before those that Windows keeps for devices, with any extension
 * (https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file).
 */
export function downloadName(name: string): string {
  return /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])\./i.test(name) ? `_${name}` : name
}

/** Returns the name of an image's file on a reader's disk: its name for people, as far as file systems allow it. */
export function fileNameForPeople(image: { name: string; displayName: string | null }): string {
  const shown = nameForPeople(image)
  const dot = shown.lastIndexOf('.')
  const stem = withoutReserved(shown.slice(0, dot), '')
  return downloadName(stem === '' ? image.name : stem + shown.slice(dot))
}

/** Returns a name without the characters that some file systems do not allow; `byDefault` if nothing remains. */
export function withoutReserved(name: string, byDefault: string): string {
  return name.replace(/[\p{Cc}\p{Cf}\s\\/:*?"<>|]+/gu, ' ').replace(/^[. ]+|[. ]+$/g, '') || byDefault
}

function lastPathComponent(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
