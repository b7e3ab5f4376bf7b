import { expect, test } from 'vitest'
import { chooseLanguage } from '../../../src/pages/shell/language.ts'

test.each([
  // One language.
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['fr', 'fr'],
  ['es', 'es'],
  ['ja', 'ja'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['de-Latn-DE-1996', 'de'],
  ['ja-JP-x-kansai', 'ja'],
  // Chinese is written in two ways, by the script or by the region.
  ['zh', 'zh'],
  ['zh-CN', 'zh'],
  ['zh-Hans-HK', 'zh'],
  ['zh-TW', 'zh-Hant'],
  ['zh-Hant-HK', 'zh-Hant'],
  ['zh-HK;q=0.9, zh;q=0.8', 'zh-Hant'],
  ['zh-TW;q=0, *;q=0.1, en;q=0', 'de'],
  // Unsupported languages.
  ['th', 'en'],
  ['dea', 'en'],
  ['th, fr;q=0.1', 'fr'],
  // Weights.
  ['en;q=0.4, de;q=0.5', 'de'],
  ['de;q=0.5, fr', 'fr'],
  ['de;q=0.998, fr;q=0.999', 'fr'],
  ['fr, de', 'fr'],
  ['de, fr', 'de'],
  ['de;Q=0.1, fr;Q=0.2', 'fr'],
  ['de;q=0., fr;q=0.001', 'fr'],
  ['de;q=1., fr', 'de'],
  ['de;q=1.000, fr', 'de'],
  ['de \t;\t q=0.1\t,\tfr ; q=0.2', 'fr'],
  ['de;q=0.5, fr;q=0.7, de-CH;q=0.9', 'de'],
  ['de-CH;q=0.9, fr;q=0.7, de;q=0.5', 'de'],
  // Unacceptable languages.
  ['de;q=0', 'en'],
  ['de;q=0, fr;q=0.1', 'fr'],
  ['de;q=0.000, de-AT', 'en'],
  ['de-AT;q=0, de', 'de'],
  // All other languages.
  ['*', 'en'],
  ['*, fr', 'fr'],
  ['*, fr;q=0.5', 'en'],
  ['en;q=0, *', 'de'],
  ['en;q=0, de;q=0, *;q=0.1', 'fr'],
  ['th, *;q=0', 'en'],
  // Empty list elements are allowed (RFC 9110, 5.6.1).
  [', ,de,,', 'de'],
  // Malformed elements are ignored.
  ['de;q=2', 'en'],
  ['de;q=1.001', 'en'],
  ['de;q=0.1234', 'en'],
  ['de;q=-1', 'en'],
  ['de;q=', 'en'],
  ['de;q', 'en'],
  ['de;q = 1', 'en'],
  ['de;level=1', 'en'],
  ['de_DE', 'en'],
  ['de-', 'en'],
  ['de fr', 'en'],
  ['de-abcdefghi', 'en'],
  ['*-DE', 'en'],
  ['dé', 'en'],
  ['\0de', 'en'],
  ['de;q=9, fr;q=0.1', 'fr'],
])('Accept-Language %j gets %s', (header, language) => {
  expect(chooseLanguage(header)).toBe(language)
})

test.each([
  [1000, 'de'],
  [1001, 'en'],
])('%i characters of Accept-Language, German first, result in %s', (length, language) => {
  expect(chooseLanguage('de,'.padEnd(length, ' '))).toBe(language)
})
