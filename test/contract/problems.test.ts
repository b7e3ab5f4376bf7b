import { describe, expect, test } from 'vitest'
import { freshAddress, sharedApi } from './support/api.ts'
import { type ApiResponse, type Ask, header } from './support/client.ts'
import { multipartBody, parts } from './support/multipart-body.ts'
import { expectErrorHeaders } from './support/responses.ts'

/** Problem Details: https://www.rfc-editor.org/rfc/rfc9457. */

const api = sharedApi()
const UNKNOWN_TOKEN = 'u'.repeat(43)
const FORM = multipartBody(parts({ content_type: '0' }))

const OPERATIONS: [ask: Ask, status: number, code: string][] = [
  [{ path: '/images', body: FORM.bytes, headers: { 'content-type': FORM.contentType } }, 400, 'missing_field'],
  [{ path: '/covers', body: 'x' }, 400, 'malformed_request'],
  [{ path: '/new-upload/', body: 'x' }, 400, 'malformed_request'],
  [{ path: '/images/status', body: '{}' }, 415, 'unsupported_media_type'],
  [{ path: '/images/status', method: 'PUT' }, 405, 'method_not_allowed'],
  [{ path: '/galleries', body: 'gallery_name=%3C', headers: urlencoded() }, 422, 'invalid_gallery_name'],
  [
    { path: '/galleries/unknown1234/finalize', body: 'gallery_upload_hash=x', headers: urlencoded() },
    415,
    'gallery_not_found',
  ],
  [{ path: `/management/${UNKNOWN_TOKEN}/delete` }, 404, 'management_token_not_found'],
  [{ path: '/oembed', method: 'GET' }, 400, 'missing_field'],
  [{ path: '/show/1/2_a.png.json', method: 'GET' }, 404, 'content_not_found'],
  [{ path: '/unknown' }, 400, 'unsupported_endpoint'],
]

function urlencoded() {
  return { 'content-type': 'application/x-www-form-urlencoded' }
}

const sendWith = (ask: Ask, accept: string): Promise<ApiResponse> =>
  api.send({ ...ask, headers: { ...ask.headers, accept, 'cf-connecting-ip': freshAddress() } })

describe('clients that name the media type get Problem Details', () => {
  test.for(OPERATIONS)('%o: %i %s', async ([ask, status, code]) => {
    const response = await sendWith(ask, 'application/json, application/problem+json;q=0.5')
    expect(response.status, response.text).toBe(status)
    expect(header(response, 'content-type')).toBe('application/problem+json')
    expect(JSON.parse(response.text)).toEqual({
      type: expect.stringMatching(new RegExp(`^https?://[^/]+/docs/errors#${code}$`)),
      title: `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`,
      status,
      detail: expect.stringMatching(/\S/),
      instance: `urn:uuid:${header(response, 'x-request-id')}`,
      code,
    })
    expectErrorHeaders(response, code)
  })
})

describe('all others get the errors of the operation', () => {
  test.for(['*/*', 'application/*', 'application/json', 'application/problem+json;q=0'])(
    'Accept: %s',
    async (accept) => {
      for (const [ask, status] of OPERATIONS) {
        const response = await sendWith(ask, accept)
        expect(response.status).toBe(status)
        expect(header(response, 'content-type')).not.toContain('problem')
      }
    },
  )
})

test('the detail is the sentence that others get as the message', async () => {
  const ask = { path: `/management/${UNKNOWN_TOKEN}/delete` }
  const { detail } = JSON.parse((await sendWith(ask, 'application/problem+json')).text)
  expect(JSON.parse((await sendWith(ask, '*/*')).text).message).toBe(detail)
})

test('429 has Retry-After', async () => {
  const headers = { 'cf-connecting-ip': freshAddress(), accept: 'application/problem+json' }
  const ask = () => api.postJson('/images/status', { urls: ['x'] }, { headers, impatient: true })
  let response = await ask()
  for (let time = 1; time < 12 && response.status === 200; time++) response = await ask()
  expect([response.status, header(response, 'content-type')]).toEqual([429, 'application/problem+json'])
  expect(header(response, 'retry-after')).toMatch(/^\d+$/)
})
