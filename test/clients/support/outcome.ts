import { expect } from 'vitest'

/** What a client's promise came to: its answer, or the text it was rejected with. */
export interface Outcome {
  answer?: unknown
  refusal?: unknown
}

/** The answer as a record; the test ends when the promise was rejected. */
export function expectAnswer(outcome: Outcome): Record<string, unknown> {
  expect(outcome).toEqual({ answer: expect.any(Object) })
  return Object.fromEntries(Object.entries(Object(outcome.answer)))
}

/** One field of an answer, which must be text. */
export function textOf(answer: Readonly<Record<string, unknown>>, field: string): string {
  const value = answer[field]
  if (typeof value !== 'string') throw new Error(`${field} is no text: ${JSON.stringify(answer)}`)
  return value
}
