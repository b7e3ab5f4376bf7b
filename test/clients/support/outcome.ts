import { expect } from 'vitest'

/** The outcome of a client's promise: its response, or the text of its rejection. */
export interface Outcome {
  response?: unknown
  refusal?: unknown
}

/** Returns the response as a record. Fails if the promise was rejected. */
export function expectResponse(outcome: Outcome): Record<string, unknown> {
  expect(outcome).toEqual({ response: expect.any(Object) })
  return Object.fromEntries(Object.entries(Object(outcome.response)))
}

/** Returns a field of a response, which must be text. */
export function textOf(response: Readonly<Record<string, unknown>>, field: string): string {
  const value = response[field]
  if (typeof value !== 'string') throw new Error(`${field} is no text: ${JSON.stringify(response)}`)
  return value
}
