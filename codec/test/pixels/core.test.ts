import { expect, test } from 'vitest'
import { Status } from '../../assembly/status.ts'
import { requireOk } from '../../src/pixels/core.ts'

test.each([Status.Ok, Status.More])('status %i is no refusal', (status) => {
  expect(() => requireOk(status)).not.toThrow()
})

test.each([
  [Status.Malformed, 'unreadable', 'its data is damaged'],
  [Status.Unsupported, 'unreadable', 'its coding is one that is not supported'],
  [Status.NoPixels, 'unreadable', 'no pixel of it can be decoded'],
  [Status.OverBudget, 'over_budget', 'it takes more memory than a picture may'],
])('status %i is refused with a reason and a sentence', (status, reason, message) => {
  expect(() => requireOk(status)).toThrow(expect.objectContaining({ name: 'ImageRefusal', reason, message }))
})

test('a refusal is made where it is thrown, so its stack tells who called', () => {
  const refusals = [refusalOf(Status.Malformed), refusalOf(Status.Malformed)]
  expect(refusals[0]).not.toBe(refusals[1])
  for (const { stack } of refusals) expect(stack).toContain('refusalOf')
})

function refusalOf(status: Status): Error {
  try {
    requireOk(status)
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error('nothing was thrown')
}
