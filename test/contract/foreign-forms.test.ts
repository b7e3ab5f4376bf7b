import { beforeAll, describe, expect, test } from 'vitest'
import { sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { LEAST_IMAGE, uploadImage } from './support/steps.ts'

const api = sharedApi()
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/**
 * Forms of the pages act on a user's click, so pages of other sites may not send them. The API is open to all (D20).
 */
describe('the forms of pages are accepted from pages of the service alone', () => {
  let token: string

  beforeAll(async () => {
    token = (await uploadImage(api, { include_manage_url: '1' })).managementToken
  })

  const manage = (headers: Record<string, string>, host = 'one.example') =>
    api.send({ path: `/manage/${token}`, body: 'action=delete', host, headers: { ...FORM, ...headers } })
  const report = (headers: Record<string, string>) =>
    api.send({ path: '/report', body: 'url=', headers: { ...FORM, ...headers } })
  const upload = (headers: Record<string, string>) =>
    api.postMultipart('/upload', { ...LEAST_IMAGE, include_manage_url: '1' }, { headers })

  const share = (headers: Record<string, string>) => api.postMultipart('/share', LEAST_IMAGE, { headers })

  const FORMS = [
    ['/manage', manage, 422],
    ['/report', report, 422],
    ['/upload', upload, 200],
    ['/share', share, 303],
  ] as const
  const FOREIGN = [
    'https://evil.example',
    'null',
    'https://one.example.evil.example',
    'https://one.example:444',
    'https://img1.one.example',
    'http://127.0.0.1:1',
    'x',
  ]
  const OWN = ['https://one.example', 'http://one.example', 'https://www.one.example', 'https://two.example']

  for (const [path, send, status] of FORMS) {
    test.for(FOREIGN)(`${path}, Origin: %s is rejected with a page`, async (origin) => {
      const response = await send({ origin, 'accept-language': 'en' })
      expect(response.status).toBe(403)
      expect(header(response, 'content-type')).toBe('text/html; charset=UTF-8')
      expect(response.text).toContain('This form was sent from another site')
    })

    test.for(OWN)(`${path}, Origin: %s is accepted`, async (origin) => {
      expect((await send({ origin })).status).toBe(status)
    })

    test(`${path}: no Origin is accepted`, async () => {
      expect((await send({})).status).toBe(status)
    })

    test(`${path}: a form that no page sent is accepted, as from a phone's share sheet`, async () => {
      expect((await send({ origin: 'null', 'sec-fetch-site': 'none' })).status).toBe(status)
      expect((await send({ origin: 'null', 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    })
  }

  test("the host of the request is the service's own, whichever it is", async () => {
    expect((await manage({ origin: 'http://10.0.0.5:8787' }, '10.0.0.5:8787')).status).toBe(422)
  })

  test('a foreign form has no effect', async () => {
    const body = 'action=delete&confirm=yes'
    const headers = { ...FORM, origin: 'https://evil.example' }
    expect((await api.send({ path: `/manage/${token}`, body, headers })).status).toBe(403)
    expect((await api.get(`/manage/${token}`)).status).toBe(200)
  })

  test('the API accepts requests from pages of any origin (D20)', async () => {
    for (const origin of FOREIGN) {
      expect((await api.uploadImage(LEAST_IMAGE, { headers: { origin } })).status).toBe(200)
    }
  })
})
