import type { Failure } from '../../domain/failure.ts'
import { MULTIPART_BOUNDARY_MAX_CHARACTERS, MULTIPART_MAX_HEADER_BYTES, MULTIPART_MAX_PARTS } from '../../limits.ts'
import { type Delimiter, delimiterFinder } from '../../multipart-delimiter.ts'
import type { Body } from './buffered-body.ts'
import { type Disposition, parseDisposition, parseHeaderValue } from './content-disposition.ts'
import { decodeUtf8 } from './fields.ts'
import { malformed } from './malformed.ts'

/** Receives the content of one part, chunk by chunk. A chunk is valid only during the call. */
export interface Receiver {
  add(chunk: Uint8Array): void
  end(): void
}

/** Put before a multipart body, whose first delimiter may be its very first bytes: it then looks like all others. */
export const LINE_BREAK = bytesOf('\r\n')

/** Discards the content of a part. */
export const DISCARD: Receiver = { add() {}, end() {} }

const HEADERS_END = bytesOf('\r\n\r\n')
const WINDOWS_1252 = new TextDecoder('windows-1252')

/**
 * Returns the boundary of a Content-Type (RFC 2046, 5.1.1). Throws `malformed_request` for other types than
 * multipart/form-data.
 */
export function requireBoundary(contentType: string | null): string {
  const { value, parameters } = parseHeaderValue(contentType ?? '')
  if (value !== 'multipart/form-data') throw malformed('Content-Type must be multipart/form-data')
  const boundary = parameters?.get('boundary') ?? ''
  if (!/^[ -~]*[!-~]$/.test(boundary) || boundary.length > MULTIPART_BOUNDARY_MAX_CHARACTERS) {
    throw malformed(`Content-Type must have a boundary of 1 to ${MULTIPART_BOUNDARY_MAX_CHARACTERS} ASCII characters`)
  }
  return boundary
}

/**
 * Reads a multipart body to its end. It must be opened with a LINE_BREAK before it. The content of each part is passed to the
 * receiver that `receive` returns for its disposition. Throws `malformed_request`.
 */
export async function readParts(body: Body, boundary: string, receive: (part: Disposition) => Receiver): Promise<void> {
  const find = delimiterFinder(bytesOf(`\r\n--${boundary}`))
  let line = await copyContent(body, find, DISCARD.add)
  for (let count = 1; line === 'opens'; count++) {
    if (count > MULTIPART_MAX_PARTS) throw malformed(`the body must have at most ${MULTIPART_MAX_PARTS} parts`)
    const receiver = receive(parseHeaders(await readHeaders(body)))
    line = await copyContent(body, find, receiver.add)
    receiver.end()
  }
  do body.skip(body.buffered().length)
  while (await body.fill())
}

/**
 * Passes on the content before the next delimiter and skips the delimiter. Bytes are passed on as soon as they cannot be part
 * of it.
 */
async function copyContent(
  body: Body,
  find: (bytes: Uint8Array) => Delimiter,
  add: (chunk: Uint8Array) => void,
): Promise<'opens' | 'closes'> {
  for (;;) {
    const bytes = body.buffered()
    const { at, length, line } = find(bytes)
    add(bytes.subarray(0, at))
    body.skip(at + length)
    if (line !== 'unknown') return line
    if (!(await body.fill())) throw unclosed()
  }
}

function unclosed(): Failure {
  return malformed('the body ends before its closing boundary: end it with two dashes, the boundary and two dashes')
}

/** Reads the header lines of a part, which begin with the line break of its delimiter. */
async function readHeaders(body: Body): Promise<string[]> {
  for (let at = 0; ; ) {
    const bytes = body.buffered()
    at = indexOf(bytes, HEADERS_END, at)
    if (at > MULTIPART_MAX_HEADER_BYTES) {
      throw malformed(`the headers of a part must be at most ${MULTIPART_MAX_HEADER_BYTES} bytes`)
    }
    if (at + HEADERS_END.length <= bytes.length) {
      const text = decodeUtf8(bytes.subarray(0, at)) ?? WINDOWS_1252.decode(bytes.subarray(0, at))
      body.skip(at + HEADERS_END.length)
      const unfolded = text.replace(/\r\n[ \t]+/g, ' ')
      return unfolded.split('\r\n').slice(1)
    }
    if (!(await body.fill())) throw unclosed()
  }
}

/** Parses Content-Disposition, the only header that is used: the declared type of a part is ignored (D11). */
function parseHeaders(lines: readonly string[]): Disposition {
  const dispositions: string[] = []
  for (const line of lines) {
    const header = /^([!-9;-~]+)[ \t]*:([^\0\r\n]*)$/.exec(line)
    if (header === null) throw malformed('a part has an invalid header line: write each as "Name: value"')
    if (header[1]?.toLowerCase() === 'content-disposition') dispositions.push(header[2] ?? '')
  }
  const [disposition] = dispositions
  if (disposition === undefined || dispositions.length > 1) {
    throw malformed('each part must have one Content-Disposition header')
  }
  return parseDisposition(disposition)
}

/**
 * The offset of `pattern` in `bytes`, or of a part of it at their end; their length if there is neither. Linear for all bytes:
 * the first byte of a pattern is repeated in it only after a line break, so matching bytes need not be read again.
 */
function indexOf(bytes: Uint8Array, pattern: Uint8Array, from: number): number {
  const first = pattern[0]
  for (let at = from; at < bytes.length; ) {
    if (bytes[at] !== first) {
      at++
      continue
    }
    let agreed = 1
    while (agreed < pattern.length && at + agreed < bytes.length && bytes[at + agreed] === pattern[agreed]) agreed++
    if (agreed === pattern.length || at + agreed === bytes.length) return at
    at += agreed
  }
  return bytes.length
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
