import { describe, expect, test } from 'vitest'
import { Failure } from '../../../src/domain/failure.ts'
import { normalizeGalleryName } from '../../../src/domain/galleries/gallery-name.ts'
import type { Incoming } from '../../../src/http/body/buffered-body.ts'
import { readForm } from '../../../src/http/body/forms.ts'
import { FORM_BODY_MAX_BYTES, FORM_FIELD_MAX_BYTES } from '../../../src/limits.ts'
import { byteStream } from '../../support/byte-stream.ts'
import { incoming } from '../../support/incoming.ts'

const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=edge'
const TEXTS = ['gallery_name', 'include_manage_url']

/** Returns a request. `body` has one character for each byte, and is sent in chunks of `chunkBytes`. */
function requestOf(body: string | null, contentType: string | undefined, chunkBytes = 65_536): Incoming {
  const headers = contentType === undefined ? undefined : { 'Content-Type': contentType }
  const bytes = Uint8Array.from(body ?? '', (character) => character.charCodeAt(0))
  const stream = byteStream(inChunks(bytes, chunkBytes))
  const options = { method: 'POST', body: body === null ? null : stream, ...(headers && { headers }) }
  return incoming(new Request('http://test/galleries', options))
}

function* inChunks(bytes: Uint8Array, chunkBytes: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

async function outcome(body: string | null, contentType: string | undefined, optional = false, chunkBytes?: number) {
  return readForm(requestOf(body, contentType, chunkBytes), TEXTS, { optional }).then(
    (form) => Object.fromEntries(form),
    (error: unknown) => {
      if (error instanceof Failure) return error.code
      throw error
    },
  )
}

const part = (disposition: string, value: string) =>
  `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`

describe('urlencoded forms', () => {
  const rows: [body: string, expected: Record<string, string> | string][] = [
    ['', {}],
    ['gallery_name=', { gallery_name: '' }],
    ['gallery_name', { gallery_name: '' }],
    ['gallery_name=a&include_manage_url=1', { gallery_name: 'a', include_manage_url: '1' }],
    ['&&include_manage_url=1&', { include_manage_url: '1' }],
    ['gallery_name=a+b%20c%2Bd', { gallery_name: 'a b c+d' }],
    ['gallery_name=a%26b%3Dc=d', { gallery_name: 'a&b=c=d' }],
    ['gallery%5Fname=a', { gallery_name: 'a' }],
    ['gallery_name=%C3%84%e2%82%ac', { gallery_name: 'Ä€' }],
    ['gallery_name=\xc3\x84', { gallery_name: 'Ä' }],
    ['gallery_name=%EF%BB%BFa', { gallery_name: '\ufeffa' }],
    ['gallery_name=100%', { gallery_name: '100%' }],
    ['gallery_name=%zz%4', { gallery_name: '%zz%4' }],
    ['gallery_name=a%00b', { gallery_name: 'a\0b' }],
    ['unknown=1&unknown=%FF&=x', {}],
    ['gallery_name=a&gallery_name=a', 'duplicate_field'],
    ['gallery_name=&gallery%5fname=', 'duplicate_field'],
  ]
  test.for(rows)('%j', async ([body, expected]) => {
    expect(await outcome(body, URLENCODED)).toEqual(expected)
    expect(await outcome(body, `${URLENCODED.toUpperCase()} ; charset=UTF-8`, true, 1)).toEqual(expected)
  })
})

describe('multipart forms', () => {
  const NAME = 'name="gallery_name"'
  const rows: [form: string, body: string, expected: Record<string, string> | string][] = [
    ['no parts', '--edge--\r\n', {}],
    ['unknown fields and files', `${part('name=a', 'x')}${part('name=b; filename=c', 'x')}--edge--`, {}],
    ['a field twice', `${part(NAME, 'a')}${part(NAME, 'a')}--edge--`, 'duplicate_field'],
    ['a text as a file', `${part(`${NAME}; filename=a`, 'a')}--edge--`, 'malformed_request'],
    ['no closing boundary', part(NAME, 'a'), 'malformed_request'],
    ['an urlencoded body', 'gallery_name=a', 'malformed_request'],
  ]
  test.for(rows)('%s', async ([, body, expected]) => {
    expect(await outcome(body, MULTIPART)).toEqual(expected)
    expect(await outcome(body, MULTIPART, true, 1)).toEqual(expected)
  })

  test('texts', async () => {
    const body = `${part(NAME, '\xc3\x84 b')}${part('name=include_manage_url', '1')}--edge--\r\n`
    expect(await outcome(body, MULTIPART)).toEqual({ gallery_name: 'Ä b', include_manage_url: '1' })
  })

  test('no boundary', async () => {
    expect(await outcome('--edge--', 'multipart/form-data')).toBe('malformed_request')
  })
})

describe('D13: no body or no Content-Type', () => {
  const rows: [form: string, body: string | null, contentType: string | undefined, required: object | string][] = [
    ['neither', null, undefined, 'malformed_request'],
    ['no body, urlencoded', null, URLENCODED, {}],
    ['no body, multipart', null, MULTIPART, 'malformed_request'],
    ['no body, another type', null, 'application/json', 'malformed_request'],
    ['an empty chunked body', '', undefined, 'malformed_request'],
    ['an empty chunked body, multipart', '', MULTIPART, 'malformed_request'],
    ['a body without a type', 'gallery_name=a', undefined, 'malformed_request'],
  ]
  test.for(rows)('%s is an empty form if it is optional', async ([, body, contentType, required]) => {
    expect(await outcome(body, contentType, true)).toEqual({})
    expect(await outcome(body, contentType, false)).toEqual(required)
  })

  test('a body of another type is always malformed, and the message lists the types', async () => {
    for (const optional of [true, false]) {
      await expect(readForm(requestOf('{}', 'application/json'), TEXTS, { optional })).rejects.toEqual(
        new Failure(
          'malformed_request',
          'Content-Type must be application/x-www-form-urlencoded or multipart/form-data',
        ),
      )
    }
  })
})

describe('D18: a text that is not UTF-8 is passed on for its field to reject', () => {
  test.for([
    ['urlencoded, percent-encoded', 'gallery_name=a%FFb', URLENCODED],
    ['urlencoded, raw', 'gallery_name=a\xffb', URLENCODED],
    ['a surrogate in three bytes', 'gallery_name=%ED%A0%80', URLENCODED],
    ['multipart', `${part('name=gallery_name', 'a\xffb')}--edge--`, MULTIPART],
  ] as const)('%s', async ([, body, contentType]) => {
    const name = (await readForm(requestOf(body, contentType), TEXTS)).get('gallery_name') ?? ''
    expect(() => normalizeGalleryName(name)).toThrow('gallery name must be valid Unicode')
  })
})

describe('limits, from both sides', () => {
  const long = (bytes: number) => 'a'.repeat(bytes)
  const rows: [form: string, body: string, contentType: string, expected: string][] = [
    ['a value of the limit', `gallery_name=${long(FORM_FIELD_MAX_BYTES)}`, URLENCODED, 'read'],
    ['a value over it', `gallery_name=${long(FORM_FIELD_MAX_BYTES + 1)}`, URLENCODED, 'invalid_option'],
    [
      'a value over it, multipart',
      `${part('name=gallery_name', long(FORM_FIELD_MAX_BYTES + 1))}--edge--`,
      MULTIPART,
      'invalid_option',
    ],
    ['a value over the limit of the body', `gallery_name=${long(FORM_BODY_MAX_BYTES)}`, URLENCODED, 'invalid_option'],
    [
      'the same, multipart',
      `${part('name=gallery_name', long(FORM_BODY_MAX_BYTES))}--edge--`,
      MULTIPART,
      'invalid_option',
    ],
    ['a body of the limit', `unknown=${long(FORM_BODY_MAX_BYTES - 8)}`, URLENCODED, 'read'],
    ['a body over it', `unknown=${long(FORM_BODY_MAX_BYTES - 7)}`, URLENCODED, 'body_too_large'],
    [
      'a body over it, multipart',
      `${part('name=unknown', long(FORM_BODY_MAX_BYTES))}--edge--`,
      MULTIPART,
      'body_too_large',
    ],
  ]
  test.for(rows)('%s', async ([, body, contentType, expected]) => {
    for (const chunkBytes of [1000, 65_536, 1_000_000]) {
      const form = await outcome(body, contentType, false, chunkBytes)
      expect(typeof form === 'string' ? form : 'read').toBe(expected)
    }
  })
})

test('a truncated body is malformed', async () => {
  const body = byteStream(
    (function* () {
      yield new TextEncoder().encode('gallery_name=a')
      throw new Error('connection reset')
    })(),
  )
  const request = new Request('http://test/galleries', {
    method: 'POST',
    headers: { 'Content-Type': URLENCODED },
    body,
  })
  await expect(readForm(incoming(request), TEXTS)).rejects.toMatchObject({ code: 'malformed_request' })
})
