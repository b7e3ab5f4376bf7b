import { isObject } from '../requests/responses.ts'

/** A property of a tool's arguments, as JSON Schema. */
export type PropertySchema =
  | { type: 'string'; description: string; maxLength?: number }
  | { type: 'boolean'; description: string }
  | { type: 'integer'; description: string; minimum: number; maximum: number }
  | { type: 'array'; description: string; items: PropertySchema | ObjectSchema; minItems: number; maxItems: number }

/** The arguments of a tool. */
export interface ObjectSchema {
  type: 'object'
  properties: Readonly<Record<string, PropertySchema>>
  required: readonly string[]
  additionalProperties: false
}

/** Returns a schema of these properties, of which some are required. */
export function objectSchema(properties: ObjectSchema['properties'], ...required: string[]): ObjectSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** Returns a sentence about the first value that a schema does not allow; undefined if it allows all. */
export function problemOf(value: unknown, schema: PropertySchema | ObjectSchema, name: string): string | undefined {
  switch (schema.type) {
    case 'string': {
      if (typeof value !== 'string') return `${name} must be a string`
      const { maxLength = Number.POSITIVE_INFINITY } = schema
      return value.length > maxLength ? `${name} must have at most ${maxLength} characters` : undefined
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `${name} must be true or false`
    case 'integer': {
      const { minimum, maximum } = schema
      const isAllowed = typeof value === 'number' && Number.isInteger(value) && value >= minimum && value <= maximum
      return isAllowed ? undefined : `${name} must be an integer from ${minimum} to ${maximum}`
    }
    case 'array': {
      const { items, minItems, maxItems } = schema
      if (!Array.isArray(value) || value.length < minItems || value.length > maxItems) {
        return `${name} must be a list of ${minItems} to ${maxItems}`
      }
      return firstOf(value.map((item: unknown, index) => problemOf(item, items, `${name}[${index}]`)))
    }
    case 'object': {
      if (!isObject(value)) return `${name} must be an object`
      const { properties, required } = schema
      const missing = required.find((property) => value[property] === undefined)
      if (missing !== undefined) return `${missing} is missing`
      return firstOf(
        Object.entries(value).map(([property, one]) => {
          const row = Object.hasOwn(properties, property) ? properties[property] : undefined
          if (row === undefined) return `${property} is no argument: use ${Object.keys(properties).join(', ')}`
          return problemOf(one, row, property)
        }),
      )
    }
  }
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined)
}
