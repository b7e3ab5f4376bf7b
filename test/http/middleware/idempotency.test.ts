import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { readIdempotencyKey } from '../../../src/http/middleware/idempotency.ts'
import { IDEMPOTENCY_KEY_MAX_CHARACTERS } from '../../../src/limits.ts'

const read = (header: string) =>
  readIdempotencyKey(new Request('http://test/images', { headers: { 'Idempotency-Key': header } }))
const long = (length: number) => 'k'.repeat(length)

test('a request without the header has no key', () => {
  expect(readIdempotencyKey(new Request('http://test/images'))).toBeUndefined()
})

describe('keys', () => {
  test.each([
    ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['"8e03978e-40d5-43dd-bc93-6894a57f9324"', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['  k  ', 'k'],
    ['!#,;=~', '!#,;=~'],
    ['a"b\\', 'a"b\\'],
    ['"a\\"b\\\\"', 'a"b\\'],
    [long(IDEMPOTENCY_KEY_MAX_CHARACTERS), long(IDEMPOTENCY_KEY_MAX_CHARACTERS)],
    [`"${long(IDEMPOTENCY_KEY_MAX_CHARACTERS)}"`, long(IDEMPOTENCY_KEY_MAX_CHARACTERS)],
    // The limit is of the key, not of its spelling.
    [`"${'\\"'.repeat(IDEMPOTENCY_KEY_MAX_CHARACTERS)}"`, '"'.repeat(IDEMPOTENCY_KEY_MAX_CHARACTERS)],
  ])('%s', (header, key) => {
    expect(read(header)).toBe(key)
  })
})

describe('no keys', () => {
  test.each([
    [''],
    ['""'],
    ['"'],
    ['"a'],
    ['"a"b'],
    ['"a";p=1'],
    ['"a\\b"'],
    ['"a\\"'],
    ['a b'],
    ['"a b"'],
    ['a, b'],
    ['a\tb'],
    ['schl\u00fcssel'],
    [long(IDEMPOTENCY_KEY_MAX_CHARACTERS + 1)],
    [`"${long(IDEMPOTENCY_KEY_MAX_CHARACTERS + 1)}"`],
  ])('%j', (header) => {
    expect(() => read(header)).toThrow(
      new Failure(
        'invalid_idempotency_key',
        'Idempotency-Key must be 1 to 255 visible ASCII characters, bare or in double quotes',
      ),
    )
  })

  test('two headers', () => {
    const headers = new Headers([
      ['Idempotency-Key', 'a'],
      ['Idempotency-Key', 'b'],
    ])
    expect(() => readIdempotencyKey(new Request('http://test/images', { headers }))).toThrow(Failure)
  })
})
