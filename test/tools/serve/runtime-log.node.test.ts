import { expect, test } from 'vitest'
import { withoutAddresses } from '../../../tools/serve/runtime-log.ts'

/** As workerd logs it on a full disk. */
const FULL = 'e = workerd/util/sqlite.c++:1757: failed: SQLite failed; database or disk is full: SQLITE_FULL'
const STACK = 'stack: node_modules/@cloudflare/workerd-linux-64/bin/workerd@3bd3cfb node_modules/workerd@3be3ce5'

test.each([
  [`${FULL}\n${STACK}`, FULL],
  [STACK, undefined],
  ['a line of the Worker', 'a line of the Worker'],
  ['TypeError: a stack: of ours\n    at index.js:1:2', 'TypeError: a stack: of ours\n    at index.js:1:2'],
])('%j is logged as %j', (message, line) => {
  expect(withoutAddresses(message)).toBe(line)
})
