import { expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { normalizeGalleryName } from '../../../src/domain/galleries/gallery-name.ts'

test.each([
  ['', ''],
  [' \t\r\n\u0085 ', ''],
  ['  Summer   in \u00a0\u3000 Rome ', 'Summer in Rome'],
  ['\u2003x\u2003', 'x'],
  ['x'.repeat(255), 'x'.repeat(255)],
  [`  ${'x'.repeat(255)}  `, 'x'.repeat(255)],
  ['日本語 & "quotes" \u{fffd}', '日本語 & "quotes" \u{fffd}'],
])('%o becomes %o (D18)', (name, normalized) => {
  expect(normalizeGalleryName(name)).toBe(normalized)
})

test.each([
  ['x'.repeat(256), 'at most 255'],
  ['a\tb', 'control'],
  ['a\u0000b', 'control'],
  ['\ufeffa', 'control or format'],
  ['a\u200db', 'control or format'],
  ['a\u2028b', 'separators'],
  ['a\u2029b', 'separators'],
  ['<b>', 'angle brackets'],
  ['a > b', 'angle brackets'],
  ['smile 😀', 'four-byte'],
])('%o is rejected: %s', (name, why) => {
  expect(() => normalizeGalleryName(name)).toThrow(Failure)
  expect(() => normalizeGalleryName(name)).toThrow(why)
})

// Not a row, because a test's title must also be valid Unicode.
test('a lone surrogate is rejected', () => {
  expect(() => normalizeGalleryName('\ud800')).toThrow('valid Unicode')
})
