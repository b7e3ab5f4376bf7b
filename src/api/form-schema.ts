import * as z from 'zod'
import type { FieldRow, Rows } from '../forms.ts'

/** The schema of a form, from its rows. */
export function formSchema(rows: Rows, meta: { id: string; description: string }) {
  const fields = Object.entries(rows)
  const together = fields.flatMap(([name, row]) => (row.kind === 'text' && row.with ? [[name, [row.with]]] : []))
  return z
    .object(Object.fromEntries(fields.map(([name, row]) => [name, fieldSchema(row)])))
    .meta({ ...meta, ...(together.length > 0 ? { dependentRequired: Object.fromEntries(together) } : {}) })
}

function fieldSchema(row: FieldRow): z.ZodType {
  const schema = valueSchema(row).meta({
    description: row.description + defaultOf(row),
    ...(row.isExtension ? { 'x-extension': true } : {}),
  })
  return row.required ? schema : schema.optional()
}

/** Stated in the description: generators of clients make fields with a `default` required. */
function defaultOf(row: FieldRow): string {
  if (row.required || (row.kind !== 'flag' && row.kind !== 'integer')) return ''
  const byDefault = row.kind === 'flag' ? 0 : row.byDefault
  return byDefault === undefined ? '' : ` Default: ${byDefault}.`
}

function valueSchema(row: FieldRow): z.ZodType {
  switch (row.kind) {
    case 'text':
      return z.string()
    case 'gallery_name':
      return z.string().max(row.maxCharacters)
    case 'flag':
      return z.int().min(0).max(1)
    case 'integer':
      return z.int().min(row.min).max(row.max)
    case 'position':
      return z.int().min(0).max(row.max)
    case 'images':
      return z.union([z.array(z.string()).min(1).max(row.maxItems), z.string()])
    case 'caption':
      return z.string().max(row.maxCharacters)
    case 'file':
      return z.file().max(row.maxBytes)
  }
}
