import type { FieldRow } from '../../src/forms.ts'
import { IMAGE_FORM } from '../../src/forms.ts'
import { tableOf, withTable } from './document-tables.ts'

/** Replaces the table of an upload's fields by one that is made of src/forms.ts. */
export function withFieldTable(document: string): string {
  const rows = Object.entries<FieldRow>(IMAGE_FORM).map(([name, row]) => [
    `\`${name}\``,
    `${valuesOf(row)}${row.required ? ', required' : ''}`,
    `${row.description}${row.isExtension ? ' Extension.' : ''}`,
  ])
  return withTable(document, tableOf(['field of `/images`', 'value', 'meaning'], rows))
}

/** Returns the values that a field takes. */
function valuesOf(row: FieldRow): string {
  switch (row.kind) {
    case 'file':
      return `a file of up to ${row.maxBytes / 2 ** 20} MiB`
    case 'flag':
      return '`0` or `1`'
    case 'integer':
      return `${row.min} to ${row.max}${row.byDefault === undefined ? '' : ` (${row.byDefault})`}`
    case 'position':
      return `0 to ${row.max}`
    default:
      return 'a text'
  }
}
