import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { decodeUtf8, findText, optionalFlag, optionalInteger, requireText } from '../../../src/http/body/fields.ts'

const SIZE = { min: 150, max: 500, byDefault: 200 }
const sent = (value: string | undefined) => new Map(value === undefined ? [] : [['field', value]])

function codeOf(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure) return error.code
    throw error
  }
}

describe('D12: flags', () => {
  const rows: [value: string | undefined, expected: boolean | string][] = [
    ['0', false],
    ['1', true],
    [undefined, false],
    ['', false],
    ...['2', '-0', '00', '01', '+1', '1.0', ' 1', '1 ', '1\n', 'true', '\ufeff1', '１', '١', '\ud800'].map(
      (value): [string, string] => [value, 'invalid_option'],
    ),
  ]
  test.for(rows)('%j is %s', ([value, expected]) => {
    expect(codeOf(() => optionalFlag(sent(value), 'field'))).toBe(expected)
  })
})

describe('D12: integers', () => {
  const rows: [value: string | undefined, expected: number | string][] = [
    [undefined, 200],
    ['', 200],
    ['150', 150],
    ['500', 500],
    ...['149', '501', '0', '-200', '0200', '+200', '2e2', '200.0', '200px', '0xC8', ' 200', '200 ', '200\n'].map(
      (value): [string, string] => [value, 'invalid_option'],
    ),
    ...['２００', '٢٠٠', '9'.repeat(400), 'NaN', 'Infinity', '\ud800'].map((value): [string, string] => [
      value,
      'invalid_option',
    ]),
  ]
  test.for(rows)('%j is %s from 150 to 500, by default 200', ([value, expected]) => {
    expect(codeOf(() => optionalInteger(sent(value), 'field', SIZE))).toBe(expected)
  })

  test('0 is an integer', () => {
    expect(optionalInteger(sent('0'), 'field', { min: 0, max: 1, byDefault: 1 })).toBe(0)
  })
})

describe('texts', () => {
  test.for([
    ['abc', 'abc', 'abc'],
    [' ', ' ', ' '],
    ['', undefined, 'missing_field'],
    [undefined, undefined, 'missing_field'],
  ] as const)('%j is found as %j and required as %j', ([value, found, required]) => {
    expect(findText(sent(value), 'field')).toBe(found)
    expect(codeOf(() => requireText(sent(value), 'field'))).toBe(required)
  })

  test.for([
    [[0xc3, 0xa9], 'é'],
    [[0xef, 0xbb, 0xbf, 0x61], '\ufeffa'],
    [[], ''],
    [[0xff], undefined],
    [[0xc3], undefined],
    [[0xed, 0xa0, 0x80], undefined],
  ] as const)('the bytes %j are %j in UTF-8', ([bytes, text]) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBe(text)
  })
})

describe('messages say what to send', () => {
  test.for([
    [() => requireText(sent(undefined), 'field'), 'field is missing: send it as a field of the form'],
    [() => optionalFlag(sent('2'), 'field'), 'field must be 0 or 1: received "2"'],
    [() => optionalInteger(sent('9000'), 'field', SIZE), 'field must be an integer from 150 to 500: received "9000"'],
    [() => optionalFlag(sent('"\n'), 'field'), 'field must be 0 or 1: received "\\"\\n"'],
  ] as const)('%o: %s', ([read, message]) => {
    expect(read).toThrow(message)
  })

  test('a token in the wrong field is not repeated', () => {
    const token = 'Tk9vTWFueVNlY3JldHNIZXJlMTIzNDU2'
    expect(() => optionalFlag(sent(token), 'field')).toThrow('field must be 0 or 1: received "Tk9vTWFueVNlY3JldHNI…"')
  })
})
