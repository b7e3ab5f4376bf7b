import { FORMATS, type Format } from 'tintype-codec/interface'
import { IMAGE_NAME_MAX_CHARACTERS } from '../limits.ts'

const NAMELESS = 'image'

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

function lastPathComponent(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}
