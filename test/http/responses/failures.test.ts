import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { logProblem } from '../../../src/http/log.ts'
import { wireFailure } from '../../../src/http/responses/failures.ts'

const REQUEST = { requestId: 'id', logProblem }

const logged: string[] = []
beforeEach(() => {
  logged.length = 0
  vi.spyOn(console, 'error').mockImplementation((line: string) => void logged.push(line))
})
afterEach(() => vi.restoreAllMocks())

/** Requests of other files may log in the meantime. */
const linesOfRequest = () => logged.filter((line) => line.includes('request id'))

test('a failure goes over the wire with its status, code and sentence', () => {
  expect(wireFailure(REQUEST, new Failure('gallery_not_found', 'no such gallery'))).toEqual({
    status: 415,
    code: 'gallery_not_found',
    message: 'no such gallery',
  })
  expect(linesOfRequest()).toEqual([])
})

test('every other exception is 500, and reveals nothing', () => {
  const wire = wireFailure(REQUEST, new Error('secret'))
  expect(wire).toMatchObject({ status: 500, code: 'internal_error' })
  expect(JSON.stringify(wire)).not.toContain('secret')
  expect(linesOfRequest()).toHaveLength(1)
})

test('the parameters of a failed query are not logged, its cause is', () => {
  const query = 'Failed query: select ... params: 0123digest'
  wireFailure(REQUEST, new Error(query, { cause: new Error('D1_ERROR: no such table') }))
  wireFailure(REQUEST, new Error(query))
  expect(logged.join()).not.toContain('0123digest')
  expect(linesOfRequest()[0]).toContain('no such table')
})

test('an exception that is no Error is 500 too', () => {
  expect(wireFailure(REQUEST, 'secret').status).toBe(500)
  expect(logged.join()).not.toContain('secret')
})
