import { MULTIPART_BOUNDARY_PADDING_MAX_BYTES } from './limits.ts'

/** The first delimiter in some bytes of a multipart body (RFC 2046, 5.1.1). */
export interface Delimiter {
  /** The offset: everything before it is content. */
  at: number
  /** The bytes of the delimiter, up to the line break or the dashes that follow the boundary. */
  length: number
  /** Whether a part follows. `unknown`: no delimiter was found, but one may begin at `at` and continue in the next bytes. */
  line: 'opens' | 'closes' | 'unknown'
}

const TAB = 0x09
const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const DASH = 0x2d

/** Bytes that also occur in the delimiter would be passed in steps of one: instead, this many are searched for a CR alone. */
const SLOW_RUN_BYTES = 64

/**
 * Makes the search for a delimiter: a line break, two dashes, and a boundary without line breaks. It must be
 * a whole line: `--boundaryX` is content, as is a boundary within a line. Blanks may pad the line.
 *
 * The search is Horspool's (1980): it compares the last byte of each candidate and skips ahead as far as that byte allows, most
 * often by the whole length. It is linear for all bytes: a delimiter begins with its only CR, so candidates that begin with a
 * CR cannot overlap.
 */
export function delimiterFinder(delimiter: Uint8Array): (bytes: Uint8Array) => Delimiter {
  const { length } = delimiter
  const shifts = new Uint8Array(256).fill(length)
  for (let i = 0; i < length - 1; i++) shifts[delimiter[i] ?? 0] = length - 1 - i

  return (bytes) => {
    const lastStart = bytes.length - length
    let at = 0
    while (at <= lastStart) {
      if (bytes[at] === CR && agrees(bytes, at, delimiter)) {
        const line = lineAt(bytes, at + length)
        if (line !== 'content') return { at, length: line === 'unknown' ? 0 : length, line }
      }
      const shift = shifts[bytes[at + length - 1] ?? 0] ?? 1
      at += shift
      if (shift === 1) at = skipToCr(bytes, at, Math.min(at + SLOW_RUN_BYTES, lastStart + 1))
    }
    // The rest is shorter than a delimiter. One may begin in it, where all remaining bytes match.
    while (at < bytes.length && !(bytes[at] === CR && agrees(bytes, at, delimiter))) at++
    return { at, length: 0, line: 'unknown' }
  }
}

/** The offset of the first CR from `at` on and before `end`; `end` if there is none. */
function skipToCr(bytes: Uint8Array, at: number, end: number): number {
  while (at < end && bytes[at] !== CR) at++
  return at
}

/** Whether the bytes from `at` on are the delimiter, as far as they go. */
function agrees(bytes: Uint8Array, at: number, delimiter: Uint8Array): boolean {
  const length = Math.min(delimiter.length, bytes.length - at)
  for (let i = 0; i < length; i++) if (bytes[at + i] !== delimiter[i]) return false
  return true
}

/** Returns the kind of a boundary's line, by the bytes after the boundary. `unknown` if more of them are needed. */
function lineAt(bytes: Uint8Array, after: number): Delimiter['line'] | 'content' {
  if (bytes[after] === DASH && after + 1 < bytes.length) return bytes[after + 1] === DASH ? 'closes' : 'content'
  const paddingEnd = after + MULTIPART_BOUNDARY_PADDING_MAX_BYTES - 2
  let at = after
  while (at < paddingEnd && (bytes[at] === SPACE || bytes[at] === TAB)) at++
  if (at + 1 < bytes.length) return bytes[at] === CR && bytes[at + 1] === LF ? 'opens' : 'content'
  const mayGoOn = at >= bytes.length || bytes[at] === CR || (bytes[at] === DASH && at === after)
  return mayGoOn ? 'unknown' : 'content'
}
