// JSON whose form is not known before it is checked.
import type { ZodType } from 'zod'

export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value has properties to look at. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

/** Returns the object in a JSON text. Throws a sentence if it is something else. */
export function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (isObject(value)) return value
  throw new Error('it must be a JSON object')
}

/** Returns the texts of a list; none if the value is no list. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Returns the value of a JSON text. Throws a sentence that names the first member which is not of the schema's form. */
export function parseAs<T>(schema: ZodType<T>, text: string): T {
  const { success, data, error } = schema.safeParse(JSON.parse(text), {
    error: (issue) => (issue.code === 'invalid_type' ? `must be of the type ${issue.expected}` : undefined),
  })
  if (success) return data
  const [issue] = error.issues
  if (issue?.code === 'unrecognized_keys') throw new Error(`it holds "${issue.keys.join('", "')}", which is not known`)
  const member = issue?.path.length ? `"${issue.path.join('.')}"` : 'it'
  throw new Error(`${member} ${issue?.message}`)
}
