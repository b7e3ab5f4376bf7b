import { Failure } from '../../domain/failure.ts'
import type { FieldRow, Rows } from '../../forms.ts'
import { FORM_BODY_MAX_BYTES } from '../../limits.ts'
import type { Incoming } from './buffered-body.ts'
import { readTextForm } from './form-values.ts'
import { isJsonRequest, readJsonObject } from './json-body.ts'
import type { Form } from './multipart.ts'

/**
 * Reads the fields of a form without files, or of a JSON object (an extension). Numbers of a JSON object are fields like their
 * digits; `null` is a missing field unless it is required. Unknown fields are ignored. Throws as `readTextForm` and
 * `readJsonObject` do.
 */
export async function readTextOrJsonForm(
  incoming: Incoming,
  rows: Rows,
  options?: { optional: boolean },
): Promise<Form> {
  if (!isJsonRequest(incoming.request)) return readTextForm(incoming, rows, options)
  const sent = await readJsonObject(incoming, FORM_BODY_MAX_BYTES, options)
  const texts = new Map<string, string>()
  for (const [name, row] of Object.entries(rows)) {
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined
    if (value === undefined || (value === null && !row.required)) continue
    texts.set(name, textOf(name, row, value))
  }
  return { texts, files: new Map() }
}

function textOf(name: string, { kind }: FieldRow, value: unknown): string {
  if (typeof value === 'string') return value
  const mayBeNumber = kind === 'flag' || kind === 'integer'
  if (mayBeNumber && typeof value === 'number') return String(value)
  throw new Failure(
    kind === 'gallery_name' ? 'invalid_gallery_name' : 'invalid_option',
    `${name} must be a ${mayBeNumber ? 'number' : 'string'}`,
  )
}
