import type { ResponseRow, ResponseRows, ResponseTable, ValuesOf } from '../../responses.ts'

/** Returns the JSON object of a response, with its fields in the order of the table and no others (D23). */
export function writeResponse<Table extends ResponseTable>(
  { fields }: Table,
  values: ValuesOf<Table>,
): Record<string, unknown> {
  return writeFields(fields, values)
}

/** JSON leaves out what is undefined. */
function writeFields(fields: ResponseRows, values: unknown): Record<string, unknown> {
  const known = new Map(Object.entries<unknown>({ ...(typeof values === 'object' ? values : {}) }))
  return Object.fromEntries(
    Object.entries(fields).map(([name, row]) => [name, jsonOf(row, known.get(camelCase(name)))]),
  )
}

function jsonOf(row: ResponseRow, value: unknown): unknown {
  if (row.kind === 'constant') return row.value
  if (row.kind === 'object') return value === undefined ? undefined : writeFields(row.of.fields, value)
  if (row.kind === 'list' && Array.isArray(value)) return value.map((one) => writeFields(row.fields, one))
  return value
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
