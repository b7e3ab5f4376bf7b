import { normalizeCaption } from '../../domain/content/caption.ts'
import { Failure } from '../../domain/failure.ts'
import { normalizeGalleryName } from '../../domain/galleries/gallery-name.ts'
import type { SentFile } from '../../domain/sent-file.ts'
import type { FieldRow, Rows } from '../../forms.ts'
import type { Incoming } from './buffered-body.ts'
import { findText, optionalFlag, optionalInteger, requireText } from './fields.ts'
import { readForm } from './forms.ts'
import { type Form, readMultipart, requireFile } from './multipart.ts'

type Value = string | readonly string[] | boolean | number | SentFile | undefined

type ValueByKind<Row extends FieldRow> = {
  text: string | (Row extends { required: true } ? never : undefined)
  gallery_name: string
  flag: boolean
  integer: number | (Row extends { byDefault: number } ? never : undefined)
  position: number | undefined
  images: readonly string[]
  /** Undefined if it is missing: an empty text is one. */
  caption: string | undefined
  file: SentFile | (Row extends { required: true } ? never : undefined)
}[Row['kind']]

/** The values of a form by the names of its fields, in the types of its rows. */
export type Values<FormRows extends Rows> = { [Name in keyof FormRows]: ValueByKind<FormRows[Name]> }

/**
 * Reads the fields of an upload. Throws as `readMultipart` does. If a limit is exceeded, the options that were sent before are
 * validated first (D14).
 */
export function readUploadForm(incoming: Incoming, rows: Rows): Promise<Form> {
  const names = Object.keys(rows)
  const files = names.filter((name) => rows[name]?.kind === 'file')
  const texts = names.filter((name) => !files.includes(name))
  return readMultipart(incoming, { texts, files }, (sent) => {
    readValues(rows, { texts: sent, files: new Map() })
  })
}

/** Reads the fields of a form without files. Throws as `readForm` does. */
export async function readTextForm(incoming: Incoming, rows: Rows, options?: { optional: boolean }): Promise<Form> {
  return { texts: await readForm(incoming, Object.keys(rows), options), files: new Map() }
}

/**
 * The values of a form. Missing fields are refused first, then invalid values (D14). Throws `missing_field`,
 * `invalid_option`, `invalid_gallery_name`.
 */
export function valuesOf<FormRows extends Rows>(rows: FormRows, form: Form): Values<FormRows> {
  for (const [name, row] of Object.entries(rows)) refuseMissing(name, row, form)
  // TypeScript cannot follow a mapped type through a loop. `readValue` ensures that each value is of its row's kind.
  return readValues(rows, form) as Values<FormRows>
}

function refuseMissing(name: string, row: FieldRow, form: Form): void {
  if (row.required) requireField(name, row, form)
  if (row.kind !== 'text' || row.with === undefined || !findText(form.texts, name)) return
  if (!findText(form.texts, row.with)) {
    throw new Failure('missing_field', `${row.with} is missing: ${name} and ${row.with} go together`)
  }
}

function requireField(name: string, { kind }: FieldRow, form: Form): void {
  if (kind === 'file') requireFile(form, name)
  else if (kind !== 'gallery_name') requireText(form.texts, name)
  else if (!form.texts.has(name)) {
    throw new Failure('missing_field', `${name} is missing: send the new name, empty for none`)
  }
}

function readValues(rows: Rows, form: Form): Record<string, Value> {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, readValue(name, row, form)]))
}

function readValue(name: string, row: FieldRow, { texts, files }: Form): Value {
  switch (row.kind) {
    case 'text':
      return findText(texts, name)
    case 'gallery_name':
      return normalizeGalleryName(texts.get(name) ?? '')
    case 'flag':
      return optionalFlag(texts, name)
    case 'integer':
      return optionalInteger(texts, name, { ...row, byDefault: row.byDefault })
    case 'images':
      return readImages(name, texts.get(name) ?? '', row.maxItems)
    case 'position':
      return optionalInteger(texts, name, { min: 0, max: row.max, byDefault: undefined })
    case 'caption': {
      const text = texts.get(name)
      return text === undefined ? undefined : normalizeCaption(name, text)
    }
    case 'file':
      return files.get(name)
  }
}

function readImages(name: string, text: string, maxItems: number): string[] {
  const listed = text.split(/\s+/).filter((one) => one !== '')
  if (listed.length === 0) throw new Failure('missing_field', `${name} is missing: send at least one image`)
  if (listed.length <= maxItems) return listed
  throw new Failure('invalid_option', `${name} must have at most ${maxItems} items: received ${listed.length}`)
}
