import { expect, test } from 'vitest'
import { parseSiteSettings } from '../../../src/domain/settings/site-settings.ts'

test('absent settings have the built-in values', () => {
  expect(parseSiteSettings({ FILE_LINKS: ' ' })).toEqual({
    operatorName: '',
    tagline: '',
    uploadNotice: '',
    links: {},
    showsFileLinks: true,
    hasPreviews: true,
  })
})

test('all settings are read, and an address may contain a comma', () => {
  const SITE_LINKS = 'terms=https://a.example/t?x=1,2, imprint=https://a.example/i,\n contact=mailto:me@a.example'
  const UPLOAD_NOTICE = ' No people.\r\nNo maps. '
  expect(
    parseSiteSettings({ OPERATOR_NAME: ' A. Person ', TAGLINE: 'Ours', UPLOAD_NOTICE, SITE_LINKS, FILE_LINKS: 'off' }),
  ).toEqual({
    operatorName: 'A. Person',
    tagline: 'Ours',
    uploadNotice: 'No people.\nNo maps.',
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
  { UPLOAD_NOTICE: 'a'.repeat(1001) },
  { UPLOAD_NOTICE: 'a\u0007' },
])('%j is rejected with a sentence', (setting) => {
  expect(() => parseSiteSettings(setting)).toThrow(new RegExp(`^${Object.keys(setting)[0]} must be `))
})
