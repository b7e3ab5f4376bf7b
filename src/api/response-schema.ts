import * as z from 'zod'
import type { ResponseRow, ResponseRows, ResponseTable } from '../responses.ts'

const made = new Map<ResponseTable, z.ZodType>()

/** Returns the schema of a response, from its rows. */
export function responseSchema(table: ResponseTable): z.ZodType {
  const known = made.get(table)
  if (known) return known
  const { id, text: description, isOpen, fields } = table
  const schema = (isOpen ? z.object(schemasOf(fields)) : z.strictObject(schemasOf(fields))).meta({ id, description })
  made.set(table, schema)
  return schema
}

function schemasOf(fields: ResponseRows): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, row]) => [name, fieldSchema(row)]))
}

function fieldSchema(row: ResponseRow): z.ZodType {
  const value = valueSchema(row)
  // An object is described where it is defined. The description of an optional one says here when it is present.
  const optional = row.optional ? value.optional() : value
  return row.text === undefined ? optional : row.kind === 'object' ? optional.describe(row.text) : describe(value, row)
}

function describe(value: z.ZodType, { text = '', optional, isExtension }: ResponseRow): z.ZodType {
  const described = value.meta({ description: text, ...(isExtension ? { 'x-extension': true } : {}) })
  return optional ? described.optional() : described
}

function valueSchema(row: ResponseRow): z.ZodType {
  switch (row.kind) {
    case 'text': {
      const text = row.pattern ? z.string().regex(row.pattern) : z.string()
      return row.maxCharacters === undefined ? text : text.max(row.maxCharacters)
    }
    case 'url':
      return z.url()
    case 'uuid':
      return z.uuid()
    case 'time':
      return z.iso.datetime()
    case 'integer': {
      const integer = z.int().min(row.min)
      return row.format === undefined ? integer : integer.meta({ format: row.format })
    }
    case 'boolean':
      return z.boolean()
    case 'constant':
      return z.literal(row.value)
    case 'choice':
      return z.enum(row.values)
    case 'object':
      return responseSchema(row.of)
    case 'list':
      return z
        .array(row.of ? responseSchema(row.of) : z.strictObject(schemasOf(row.fields)))
        .min(row.min)
        .max(row.max)
  }
}
