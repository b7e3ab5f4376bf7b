import { describe, expect, test } from 'vitest'
import { type Api, sharedApi } from './support/api.ts'
import type { Ask } from './support/client.ts'
import { multipartBody, textPart } from './support/multipart-body.ts'
import { expectApiError, expectCreated, expectJson } from './support/responses.ts'
import { createGallery } from './support/steps.ts'

const api = sharedApi()
const target = await createGallery(api, 'before')

/** "creation and rename use identical validation": each row is tried in every field that takes a name. */
const WAYS = [
  ['create', async (name: string, more?: Partial<Ask>) => api.createGallery({ gallery_name: name }, more)],
  [
    'create, multipart',
    async (name: string, more?: Partial<Ask>) => api.postMultipart('/galleries', { gallery_name: name }, more),
  ],
  ['rename', async (name: string, more?: Partial<Ask>) => api.rename(target.managementToken, name, more)],
  ['rename, JSON', async (name: string, more?: Partial<Ask>) => renameByJson(api, { name }, more)],
] as const

const LONG_WITH_SPACES = { beyondContract: 'a schema cannot say that spaces are dropped before the length counts' }

const ACCEPTED: [rule: string, sent: string, stored: string][] = [
  ['as it is', 'Summer 2026', 'Summer 2026'],
  ['1. leading and trailing whitespace is removed', '  \t Summer \n ', 'Summer'],
  ['1. ideographic space at the ends', '\u3000Summer\u3000', 'Summer'],
  ['1. no-break space at the ends', '\u00a0Summer\u00a0', 'Summer'],
  ['1. line separator at the ends', '\u2028Summer\u2029', 'Summer'],
  ['1. next line (U+0085) at the ends', '\u0085Summer\u0085', 'Summer'],
  ['1. runs of spaces are collapsed', 'a    b', 'a b'],
  ['1. runs of Unicode spaces are collapsed', 'a\u2003\u3000 \u00a0b', 'a b'],
  ['1. one Unicode space becomes a plain one', 'a\u3000b', 'a b'],
  ['2. 255 characters', 'a'.repeat(255), 'a'.repeat(255)],
  ['2. 255 characters of three bytes', '日'.repeat(255), '日'.repeat(255)],
  ['2. 255 characters after the whitespace is gone', `  ${'a'.repeat(255)}  `, 'a'.repeat(255)],
  ['2. 255 characters after runs are collapsed', `b${' '.repeat(50)}${'a'.repeat(253)}`, `b ${'a'.repeat(253)}`],
  ['3. accents, composed or not, stay as they are', 'caf\u00e9 cafe\u0301', 'caf\u00e9 cafe\u0301'],
  ['3. quotes, ampersands, percent and plus', `"a" & 'b' 100% + c`, `"a" & 'b' 100% + c`],
  ['3. private use within the first plane', '\ue000\uffee', '\ue000\uffee'],
  ['4. an empty name is valid', '', ''],
  ['4. nothing but white space is an empty name', ' \u3000\t ', ''],
]

const REFUSED: [rule: string, sent: string][] = [
  ['2. 256 characters', 'a'.repeat(256)],
  ['2. 256 characters of three bytes', '日'.repeat(256)],
  ['2. 300 characters', 'a '.repeat(150)],
  ['3. control: a tab inside', 'a\tb'],
  ['3. control: a line feed inside', 'a\nb'],
  ['3. control: NUL', 'a\0b'],
  ['3. control: NUL at the end', 'ab\0'],
  ['3. control: U+0085 inside', 'a\u0085b'],
  ['3. control: U+007F', 'a\u007fb'],
  ['3. format: zero width space', 'a\u200bb'],
  ['3. format: zero width joiner', 'a\u200db'],
  ['3. format: right-to-left override', 'a\u202eb'],
  ['3. format: soft hyphen', 'a\u00adb'],
  ['3. format: Mongolian vowel separator', 'a\u180eb'],
  ['3. format: a byte order mark is refused, not trimmed', '\ufeffab'],
  ['3. format: a byte order mark at the end', 'ab\ufeff'],
  ['3. format: nothing but a byte order mark', '\ufeff'],
  ['3. line separator inside', 'a\u2028b'],
  ['3. paragraph separator inside', 'a\u2029b'],
  ['3. angle bracket <', 'a<b'],
  ['3. angle bracket >', 'a>b'],
  ['3. an emoji', 'a\u{1f600}b'],
  ['3. a letter above U+FFFF', '\u{20000}'],
  ['3. a four-byte character alone', '\u{10000}'],
]

describe.for(WAYS)('%s', ([, send]) => {
  test.for(ACCEPTED)('accepts %s', async ([, sent, stored]) => {
    const more = sent.length > 255 ? LONG_WITH_SPACES : {}
    expect(expectJson(await send(sent, more)).gallery_name).toBe(stored)
  })

  test.for(REFUSED)('rejects %s', async ([, sent]) => {
    expectApiError(await send(sent), 422)
  })
})

describe('names that are not valid Unicode are rejected', () => {
  test('a lone surrogate in JSON', async () => {
    const body = '{"name":"a\\ud800b"}'
    const headers = { 'content-type': 'application/json' }
    expectApiError(await api.send({ path: `/management/${target.managementToken}/rename`, body, headers }), 422)
  })

  test('bytes that are not UTF-8', async () => {
    const urlencoded = { path: '/galleries', body: 'gallery_name=a%FFb', headers: form }
    const multipart = multipartBody([textPart('gallery_name', Buffer.from([0x61, 0xff, 0x62]))])
    const responses = [
      await api.send(urlencoded),
      await api.send({ path: '/galleries', body: multipart.bytes, headers: { 'content-type': multipart.contentType } }),
    ]
    // Either the form is malformed or the name is invalid. A replacement character is never stored.
    for (const response of responses) expectApiError(response, response.status === 400 ? 400 : 422)
  })
})

test('a rejected rename keeps the old name', async () => {
  const gallery = await createGallery(api, 'kept')
  expectApiError(await api.rename(gallery.managementToken, 'a<b'), 422)
  expect((await api.get(`/manage/${gallery.managementToken}`)).text).toContain('kept')
})

test('a rename reports the stored name, which the page shows', async () => {
  const gallery = expectCreated(await api.createGallery({ include_manage_url: '1' }))
  await api.rename(gallery.managementToken, '  Über   alles & "mehr" ')
  expect((await api.get(`/manage/${gallery.managementToken}`)).text).toMatch(/Über alles &amp; (&quot;|&#34;|")mehr/)
})

const form = { 'content-type': 'application/x-www-form-urlencoded' }

function renameByJson(service: Api, value: object, more?: Partial<Ask>) {
  return service.postJson(`/management/${target.managementToken}/rename`, value, more)
}
