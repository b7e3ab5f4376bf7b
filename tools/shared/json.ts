// JSON whose form is not known before it is checked.

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
