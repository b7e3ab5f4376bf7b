import { Failure } from '../../domain/failure.ts'
import type { SentFile } from '../../domain/sent-file.ts'
import { FORM_FIELD_MAX_BYTES, MULTIPART_MAX_BYTES, UPLOAD_MAX_BYTES } from '../../limits.ts'
import type { BodyMemory } from './admission.ts'
import { type Body, type Incoming, openBody } from './buffered-body.ts'
import { collectBytes } from './collect-bytes.ts'
import type { Disposition } from './content-disposition.ts'
import { beginningOf, decodeUtf8, duplicateField } from './fields.ts'
import { malformed } from './malformed.ts'
import { DISCARD, LINE_BREAK, type Receiver, readParts, requireBoundary } from './multipart-parts.ts'

/** The wanted fields of a form, as far as they were sent. */
export interface Form {
  texts: Map<string, string>
  files: Map<string, SentFile>
}

/** The names of the fields that a form may have; all others are ignored (D11). */
interface FormFields {
  texts: readonly string[]
  files: readonly string[]
}

/** Decoding of text fields. */
export interface TextReader {
  decode: (name: string, bytes: Uint8Array) => string
  /** Replaces a text over FORM_FIELD_MAX_BYTES; `bytes` are its first ones. */
  cut: (name: string, bytes: Uint8Array) => string
}

const TEXT_READER: TextReader = { decode: requireUtf8, cut: (_, bytes) => beginningOf(bytes) }

/**
 * Reads the wanted fields of a multipart/form-data body (RFC 7578) while it streams (D10, D11). A part is a file if it has a
 * file name, or an empty file name and content. A text over FORM_FIELD_MAX_BYTES is replaced by one that is valid for no
 * field. Throws `malformed_request`, `duplicate_field`, and as soon as a limit is exceeded `file_too_large` or
 * `body_too_large`. Before either of these two, `validate` checks the texts so far: its errors come first (D14).
 */
export async function readMultipart(
  incoming: Incoming,
  fields: FormFields,
  validate: (texts: Map<string, string>) => void = () => {},
): Promise<Form> {
  const form: Form = { texts: new Map(), files: new Map() }
  const boundary = requireBoundary(incoming.request.headers.get('Content-Type'))
  const body = openBody(incoming, MULTIPART_MAX_BYTES, LINE_BREAK)
  try {
    await readParts(body, boundary, receiveInto(form, fields, TEXT_READER, { body, memory: incoming.memory }))
  } catch (error) {
    if (isOverLimit(error)) validate(form.texts)
    throw error
  } finally {
    await body.close()
  }
  return form
}

/**
 * Reads all files of one name, and nothing else, of a multipart/form-data body, in their order. Throws as `readMultipart` does.
 */
export async function readFiles(incoming: Incoming, name: string): Promise<SentFile[]> {
  const found: SentFile[] = []
  const boundary = requireBoundary(incoming.request.headers.get('Content-Type'))
  const body = openBody(incoming, MULTIPART_MAX_BYTES, LINE_BREAK)
  try {
    await readParts(body, boundary, (part) => {
      if (part.name !== name || !part.file) return DISCARD
      const form: Form = { texts: new Map(), files: new Map() }
      const { add, end } = receiveFile(form, name, part.file, { body, memory: incoming.memory })
      return {
        add,
        end() {
          end()
          found.push(...form.files.values())
        },
      }
    })
  } finally {
    await body.close()
  }
  return found
}

/** The file of a form. Throws `missing_field`. */
export function requireFile(form: Form, name: string): SentFile {
  const file = form.files.get(name)
  if (file === undefined) throw new Failure('missing_field', `${name} is missing: send it as a file with a file name`)
  return file
}

/** The body that a form comes in, and its memory. */
interface FormSource {
  body: Pick<Body, 'restBytes'>
  memory: Pick<BodyMemory, 'own'>
}

/** The receiver of each part of a form. It puts the field into `form`. */
export function receiveInto(
  form: Form,
  fields: FormFields,
  texts: TextReader,
  source: FormSource,
): (part: Disposition) => Receiver {
  const seen = new Set<string>()
  return ({ name, file }) => {
    const isText = fields.texts.includes(name)
    if (!isText && !fields.files.includes(name)) return DISCARD
    if (seen.has(name)) throw duplicateField(name)
    seen.add(name)
    if (isText && file) throw malformed(`${name} must be sent as text: received a file`)
    if (isText) return receiveText(form, name, texts)
    return file ? receiveFile(form, name, file, source) : DISCARD
  }
}

function receiveText(form: Form, name: string, { decode, cut }: TextReader): Receiver {
  const collected = collectBytes({ maxBytes: FORM_FIELD_MAX_BYTES })
  let cutText: string | undefined
  return {
    add(chunk) {
      if (cutText === undefined && !collected.add(chunk)) cutText = cut(name, collected.take())
    },
    end() {
      form.texts.set(name, cutText ?? decode(name, collected.take()))
    },
  }
}

function receiveFile(
  form: Form,
  name: string,
  { named, filename }: { named: boolean; filename: string },
  { body, memory }: FormSource,
): Receiver {
  const collected = collectBytes({ maxBytes: UPLOAD_MAX_BYTES, expectedBytes: body.restBytes(), own: memory.own })
  return {
    add(chunk) {
      if (!collected.add(chunk))
        throw new Failure('file_too_large', `${name} must be at most ${UPLOAD_MAX_BYTES} bytes`)
    },
    end() {
      const bytes = collected.take()
      if (named || bytes.length > 0) form.files.set(name, { filename, bytes })
    },
  }
}

function requireUtf8(name: string, bytes: Uint8Array): string {
  const text = decodeUtf8(bytes)
  if (text === undefined) throw malformed(`${name} must be UTF-8`)
  return text
}

function isOverLimit(error: unknown): boolean {
  return error instanceof Failure && (error.code === 'file_too_large' || error.code === 'body_too_large')
}
