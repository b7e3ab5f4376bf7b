import { expect } from 'vitest'

/** What a client's promise came to: its answer, or the text it was rejected with. */
export interface Outcome {
  response?: unknown
  refusal?: unknown
}

/** The answer as a record; the test ends when the promise was rejected. */
export function expectResponse(outcome: Outcome): Record<string, unknown> {
  expect(outcome).toEqual({ response: expect.any(Object) })
  return Object.fromEntries(Object.entries(Object(outcome.response)))
}

/** One field of an answer, which must be text. */
export function textOf(response: Readonly<Record<string, unknown>>, field: string): string {
  const value = response[field]
  if (typeof value !== 'string') throw new Error(`${field} is no text: ${JSON.stringify(response)}`)
  return value
}
