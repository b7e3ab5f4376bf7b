import { describe, expect, test } from 'vitest'
import type { ApiResponse, Ask } from '../contract/support/client.ts'
import { checkAgainstContract } from '../contract/support/contract-check.ts'
import { type Fields, file, multipartBody, parts } from '../contract/support/multipart-body.ts'

/** Tests the check that all contract tests rely on: it must find faults. */
const HEADERS = {
  'x-request-id': '1fd5adbe-2bcc-4e22-ab1e-1aa9d90db9f7',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Request-ID',
  'content-type': 'application/json; charset=UTF-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}
const UPLOADED = {
  name: 'a.png',
  show_url: 'https://one.example/show/1/2_a.png',
  th_url: 'https://t1.one.example/thumbs/1/2_a.png',
  thumb_width: 30,
  thumb_height: 20,
}
const LEAST = { img: file('a.png', Buffer.from('bytes')), content_type: '0' }

function upload(fields: Fields, more: Partial<Ask> = {}): Ask {
  const { contentType, bytes } = multipartBody(parts(fields))
  return { path: '/images', headers: { 'content-type': contentType }, body: bytes, ...more }
}

function response(status: number, body: unknown, headers: Record<string, string | undefined> = {}): ApiResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const given = Object.entries({ ...HEADERS, ...headers }).filter(([, value]) => value !== undefined)
  return { status, headers: Object.fromEntries(given), bytes: Buffer.from(text), text }
}

const error = (code: string, more = {}) => ({
  success: false,
  error: code,
  message: 'change it',
  request_id: HEADERS['x-request-id'],
  documentation_url: `https://one.example/docs/errors#${code}`,
  ...more,
})
const CODED = {
  'x-error-code': 'missing_field',
  link: '<https://one.example/docs/errors#missing_field>; rel="help"',
}
const TEXT = { ...CODED, 'content-type': 'text/plain; charset=UTF-8' }

describe('passes', () => {
  test.for<[string, Ask, ApiResponse]>([
    ['an upload', upload(LEAST), response(200, UPLOADED)],
    ['a refused upload', upload({}), response(400, 'img is missing', TEXT)],
    ['an unknown path', { path: '/unknown' }, response(400, error('unsupported_endpoint'), CODED)],
    [
      'an undocumented request that is marked',
      upload({ ...LEAST, max_th_size: '9' }, { beyondContract: 'for once' }),
      response(200, UPLOADED),
    ],
    [
      'a page',
      { method: 'GET', path: '/show/1/2_a.png' },
      response(200, '<!DOCTYPE html>', { 'content-type': 'text/html; charset=UTF-8' }),
    ],
  ])('%s', ([, ask, given]) => {
    expect(() => checkAgainstContract(ask, given)).not.toThrow()
  })
})

describe('complains of', () => {
  test.for<[string, Ask, ApiResponse, RegExp]>([
    ['a status', upload(LEAST), response(418, UPLOADED), /status is none of 200, 400/],
    [
      'a status of another operation',
      { path: `/management/${'a'.repeat(43)}/delete` },
      response(417, error('gallery_not_finalizable')),
      /none of/,
    ],
    ['a header', upload(LEAST), response(200, UPLOADED, { 'x-powered-by': 'us' }), /x-powered-by is not documented/],
    [
      'the value of a header',
      upload(LEAST),
      response(200, UPLOADED, { 'idempotent-replayed': 'yes' }),
      /idempotent-replayed is not as/,
    ],
    [
      'a missing header',
      upload(LEAST),
      response(200, UPLOADED, { 'access-control-allow-origin': undefined }),
      /allow-origin is missing/,
    ],
    [
      'a missing X-Request-ID',
      { method: 'GET', path: '/' },
      response(200, 'x', { 'x-request-id': undefined }),
      /X-Request-ID/,
    ],
    [
      'a missing nosniff',
      { method: 'GET', path: '/' },
      response(200, 'x', { 'x-content-type-options': undefined }),
      /without nosniff/,
    ],
    [
      'an error that may be kept',
      { method: 'GET', path: '/unknown' },
      response(404, 'x', { 'cache-control': 'no-cache' }),
      /without no-store/,
    ],
    ['a field', upload(LEAST), response(200, { ...UPLOADED, id: 2 }), /additional/],
    [
      'a field of an error',
      { path: '/galleries' },
      response(422, error('invalid_option', { stack: '' }), CODED),
      /additional/,
    ],
    [
      'a field deep inside',
      upload(LEAST),
      response(200, { ...UPLOADED, optimization: { requested: true } }),
      /optimization must have/,
    ],
    ['a missing field', upload(LEAST), response(200, { ...UPLOADED, show_url: undefined }), /show_url/],
    ['a type', upload(LEAST), response(200, { ...UPLOADED, thumb_width: '30' }), /thumb_width must be integer/],
    [
      'an error code',
      { path: '/galleries' },
      response(422, error('no_such_code'), CODED),
      /error must be equal to one of/,
    ],
    [
      'a media type',
      upload(LEAST),
      response(200, UPLOADED, { 'content-type': 'text/html; charset=UTF-8' }),
      /text\/html is none of/,
    ],
    ['a charset', upload(LEAST), response(200, UPLOADED, { 'content-type': 'application/json' }), /charset/],
    ['a missing body', upload(LEAST), response(200, ''), /body is missing/],
    ['a request without a field', upload({ img: LEAST.img }), response(200, UPLOADED), /content_type/],
    [
      'a request with a value',
      upload({ ...LEAST, max_th_size: '9' }),
      response(200, UPLOADED),
      /max_th_size must be >= 150/,
    ],
    [
      'a request of half a pair',
      upload({ ...LEAST, gallery_hash: 'a' }),
      response(200, UPLOADED),
      /gallery_upload_hash/,
    ],
    [
      'a request of another type',
      { ...upload(LEAST), headers: { 'content-type': 'image/png' } },
      response(200, UPLOADED),
      /a body of image\/png was taken/,
    ],
    [
      'a path',
      { path: '/management/short/delete' },
      response(200, { success: true, resource_type: 'image', deleted: true }),
      /token is not as/,
    ],
  ])('%s', ([, ask, given, complaint]) => {
    expect(() => checkAgainstContract(ask, given)).toThrow(complaint)
  })
})
