import { expect, test } from 'vitest'
import { parseSiteSettings } from '../../src/domain/site-settings.ts'

test('absent settings have the built-in values', () => {
  expect(parseSiteSettings({ FILE_LINKS: ' ' })).toEqual({
    operatorName: '',
    tagline: '',
    links: {},
    showsFileLinks: true,
    hasPreviews: true,
  })
})

test('all settings are read, and an address may contain a comma', () => {
  const SITE_LINKS = 'terms=https://a.example/t?x=1,2, imprint=https://a.example/i,\n contact=mailto:me@a.example'
  expect(parseSiteSettings({ OPERATOR_NAME: ' A. Person ', TAGLINE: 'Ours', SITE_LINKS, FILE_LINKS: 'off' })).toEqual({
    operatorName: 'A. Person',
    tagline: 'Ours',
    links: { terms: 'https://a.example/t?x=1,2', imprint: 'https://a.example/i', contact: 'mailto:me@a.example' },
    showsFileLinks: false,
    hasPreviews: true,
  })
})

test.each([
  { SITE_LINKS: 'terms=javascript:alert(1)' },
  { SITE_LINKS: 'terms=https://a.example/" onclick="x' },
  { SITE_LINKS: 'about=https://a.example' },
  { SITE_LINKS: 'https://a.example' },
  { FILE_LINKS: 'no' },
  { OPERATOR_NAME: 'a'.repeat(101) },
  { TAGLINE: 'two\nlines' },
])('%j is rejected with a sentence', (setting) => {
  expect(() => parseSiteSettings(setting)).toThrow(new RegExp(`^${Object.keys(setting)[0]} must be `))
})
