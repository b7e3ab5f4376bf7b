import { expect, test } from 'vitest'
import { checkConditions, ifRangeMatches } from '../../../src/http/cache/conditions.ts'

const STORED = { etag: '"a"', lastModified: new Date('2026-11-21T10:00:00.900Z') }
const DATE = 'Sat, 21 Nov 2026 10:00:00 GMT'
const EARLIER = 'Sat, 21 Nov 2026 09:59:59 GMT'

test.each([
  [{}, undefined],
  [{ 'If-None-Match': '"a"' }, 304],
  [{ 'If-None-Match': 'W/"a"' }, 304],
  [{ 'If-None-Match': '"b", "a"' }, 304],
  [{ 'If-None-Match': '*' }, 304],
  [{ 'If-None-Match': '"b"' }, undefined],
  [{ 'If-None-Match': '"b"', 'If-Modified-Since': DATE }, undefined],
  [{ 'If-Modified-Since': DATE }, 304],
  [{ 'If-Modified-Since': EARLIER }, undefined],
  [{ 'If-Modified-Since': 'nonsense' }, undefined],
  [{ 'If-Match': '"a"' }, undefined],
  [{ 'If-Match': '*' }, undefined],
  [{ 'If-Match': 'W/"a"' }, 412],
  [{ 'If-Match': '"b"' }, 412],
  [{ 'If-Match': '"a"', 'If-Unmodified-Since': EARLIER }, undefined],
  [{ 'If-Unmodified-Since': EARLIER }, 412],
  [{ 'If-Unmodified-Since': DATE }, undefined],
  [{ 'If-Match': '"b"', 'If-None-Match': '"a"' }, 412],
])('%o results in %o (RFC 9110, 13.2.2)', (headers, status) => {
  expect(checkConditions(new Headers(headers), STORED)).toBe(status)
})

test.each([
  ['"a"', true],
  ['W/"a"', false],
  ['"b"', false],
  [DATE, true],
  [EARLIER, false],
])('If-Range %s applies the range: %s (RFC 9110, 13.1.5)', (field, stands) => {
  expect(ifRangeMatches(field, STORED)).toBe(stands)
})
