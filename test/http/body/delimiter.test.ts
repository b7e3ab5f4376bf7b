import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { delimiterFinder } from '../../../src/multipart-delimiter.ts'
import { parametersOf } from '../../support/property.ts'

/** For each boundary. */
const PARAMETERS = parametersOf(env.TEST_SETTINGS.TINTYPE_SEED, 20261122, 1000)

/** Encodes one character in each byte. */
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

/** Finds a delimiter, or its beginning, as RFC 2046, 5.1.1 defines it, offset by offset. */
function findOneByOne(text: string, delimiter: string) {
  for (let at = 0; at <= text.length; at++) {
    const rest = text.slice(at)
    if (!rest.startsWith(delimiter)) {
      if (delimiter.startsWith(rest)) return { at, length: 0, line: 'unknown' }
      continue
    }
    const after = rest.slice(delimiter.length)
    if (after.startsWith('--')) return { at, length: delimiter.length, line: 'closes' }
    if (/^[ \t]{0,62}\r\n/.test(after)) return { at, length: delimiter.length, line: 'opens' }
    if (/^(?:-|[ \t]{0,62}\r?)$/.test(after)) return { at, length: 0, line: 'unknown' }
  }
  throw new Error('nothing at all begins every delimiter')
}

describe('a delimiter is found at its position, with its effect', () => {
  test.for([
    ['content\r\n--edge\r\nrest', { at: 7, length: 8, line: 'opens' }],
    ['content\r\n--edge \t\r\nrest', { at: 7, length: 8, line: 'opens' }],
    ['content\r\n--edge--', { at: 7, length: 8, line: 'closes' }],
    ['content\r\n--edgeX\r\n--edge--', { at: 16, length: 8, line: 'closes' }],
    ['content\r\n--edge-\r\n--edge\r\n', { at: 16, length: 8, line: 'opens' }],
    ['content --edge--', { at: 16, length: 0, line: 'unknown' }],
    ['content\r\n--edge', { at: 7, length: 0, line: 'unknown' }],
    ['content\r\n--edge-', { at: 7, length: 0, line: 'unknown' }],
    ['content\r\n--edge \r', { at: 7, length: 0, line: 'unknown' }],
    ['content\r\n--', { at: 7, length: 0, line: 'unknown' }],
    ['content\r', { at: 7, length: 0, line: 'unknown' }],
    ['', { at: 0, length: 0, line: 'unknown' }],
  ] as const)('%j', ([text, expected]) => {
    expect(delimiterFinder(latin1('\r\n--edge'))(latin1(text))).toEqual(expected)
  })

  test.for([62, 63])('%i blanks after the boundary: 62 may pad its line', (blanks) => {
    const text = `content\r\n--edge${' '.repeat(blanks)}\r\n`
    expect(delimiterFinder(latin1('\r\n--edge'))(latin1(text)).line).toBe(blanks === 62 ? 'opens' : 'unknown')
  })
})

test.for(['a', 'ab', '-', '--', 'aa-a', `${'ab'.repeat(34)}c`])(
  `random bytes of delimiters' characters, boundary %s, seed ${PARAMETERS.seed}`,
  (boundary) => {
    const delimiter = `\r\n--${boundary}`
    const find = delimiterFinder(latin1(delimiter))
    const unit = fc.constantFrom('a', 'b', 'X', '-', ' ', '\t', '\r', '\n', '\r\n', '\r\n--', delimiter)
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40, size: 'max' }), (text) => {
        expect(find(latin1(text))).toEqual(findOneByOne(text, delimiter))
      }),
      PARAMETERS,
    )
  },
)
