import { Buffer } from 'node:buffer'
import { Failure } from '../../domain/failure.ts'
import { FORM_BODY_MAX_BYTES, FORM_FIELD_MAX_BYTES } from '../../limits.ts'
import { type Body, type Incoming, openBody } from './buffered-body.ts'
import { decodeUtf8, duplicateField, NOT_UNICODE, textTooLong } from './fields.ts'
import { type Form, receiveInto, type TextReader } from './multipart.ts'
import { LINE_BREAK, readParts, requireBoundary } from './multipart-parts.ts'

type BodyReader = (incoming: Incoming, body: Body, texts: readonly string[]) => Promise<Map<string, string>>

// A multipart body is opened with a line break before it (see `readParts`).
const READERS: Readonly<Record<string, { before: Uint8Array; read: BodyReader }>> = {
  'application/x-www-form-urlencoded': { before: new Uint8Array(), read: readUrlencoded },
  'multipart/form-data': { before: LINE_BREAK, read: readMultipartTexts },
}

const TEXT_READER: TextReader = {
  decode: (_, bytes) => decodeText(bytes),
  cut(name) {
    throw textTooLong(name)
  },
}

/**
 * Reads the text fields of a form, urlencoded or multipart (D13). If `optional`, a missing body or Content-Type means an empty
 * form. A text that is not UTF-8 becomes a lone surrogate, which the field's own check refuses (D12, D18). Throws
 * `malformed_request`, `duplicate_field`, `invalid_option` for a text over FORM_FIELD_MAX_BYTES, `body_too_large`.
 */
export async function readForm(
  incoming: Incoming,
  texts: readonly string[],
  { optional = false } = {},
): Promise<Map<string, string>> {
  const contentType = incoming.request.headers.get('Content-Type')
  const reader = READERS[contentType?.split(';')[0]?.trim().toLowerCase() ?? '']
  const body = openBody(incoming, FORM_BODY_MAX_BYTES, reader?.before)
  try {
    if (optional && (!contentType || !(await body.fill()))) return new Map()
    if (reader) return await reader.read(incoming, body, texts)
    const types = Object.keys(READERS).join(' or ')
    throw new Failure('malformed_request', `Content-Type must be ${types}`)
  } finally {
    await body.close()
  }
}

async function readMultipartTexts(
  { request, memory }: Incoming,
  body: Body,
  texts: readonly string[],
): Promise<Map<string, string>> {
  const form: Form = { texts: new Map(), files: new Map() }
  const boundary = requireBoundary(request.headers.get('Content-Type'))
  await readParts(body, boundary, receiveInto(form, { texts, files: [] }, TEXT_READER, { body, memory }))
  return form.texts
}

async function readUrlencoded(_: Incoming, body: Body, texts: readonly string[]): Promise<Map<string, string>> {
  let encoded = ''
  try {
    do {
      encoded += Buffer.from(body.buffered()).toString('latin1')
      body.skip(body.buffered().length)
    } while (await body.fill())
  } catch (error) {
    // Errors of fields come before the size of the body: a name that is too long is an invalid name, however long.
    parseUrlencoded(encoded, texts)
    throw error
  }
  return parseUrlencoded(encoded, texts)
}

/** The wanted fields of an urlencoded form, which is given with one character for each byte. */
function parseUrlencoded(encoded: string, texts: readonly string[]): Map<string, string> {
  const form = new Map<string, string>()
  for (const pair of encoded.split('&')) {
    const nameEnd = pair.includes('=') ? pair.indexOf('=') : pair.length
    const name = decodeText(percentDecode(pair.slice(0, nameEnd)))
    if (!texts.includes(name)) continue
    if (form.has(name)) throw duplicateField(name)
    const value = pair.slice(nameEnd + 1)
    if (value.length > FORM_FIELD_MAX_BYTES) throw textTooLong(name)
    form.set(name, decodeText(percentDecode(value)))
  }
  return form
}

/** A percent sign without two hexadecimal digits after it is literal, as in browsers. */
function percentDecode(encoded: string): Uint8Array {
  const bytes = encoded
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

function decodeText(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? NOT_UNICODE
}
