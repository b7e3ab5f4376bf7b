import { describe, expect, test } from 'vitest'
import { freshAddress, sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { alertsOf, fieldAttribute, isShared, sendReport } from './support/report.ts'
import { createGallery, galleryWithImage, uploadImage } from './support/steps.ts'

const api = sharedApi()
const THANKS = /<h1>Report sent<\/h1>/
const DETAILS_MAX = 1500
const CONTACT_MAX = 200

describe('GET /report', () => {
  test('is a form that works without JavaScript: its fields, its reasons and its target', async () => {
    const response = await api.get('/report')
    expect(response.status).toBe(200)
    expect(response.text).toMatch(/<form method="post" action="\/report"/)
    expect(
      [...response.text.matchAll(/type="radio" name="reason" value="([a-z]+)"/g)].map(([, value]) => value),
    ).toEqual(['illegal', 'child', 'copyright', 'personal', 'violence', 'other'])
    for (const name of ['url', 'details', 'contact']) expect(fieldAttribute(response, name, 'id')).toBeDefined()
    expect(alertsOf(response)).toEqual([])
  })

  test.for([
    ['https://one.example/gallery/abcdefghij12', 'https://one.example/gallery/abcdefghij12'],
    ['/gallery/abcdefghij12', 'https://one.example/gallery/abcdefghij12'],
    ['"><script>', '&quot;&gt;&lt;script&gt;'],
    ['', ''],
  ] as const)('?url=%s is in the form as %s', async ([url, value]) => {
    const response = await api.get(`/report?url=${encodeURIComponent(url)}`)
    expect(fieldAttribute(response, 'url', 'value')).toBe(value)
  })

  test.for(['GET', 'HEAD'])('%s is not cached, not indexed and not shared', async (method) => {
    const response = await api.get('/report', { method })
    expect([header(response, 'cache-control'), header(response, 'x-robots-tag')]).toEqual(['no-store', 'noindex'])
    expect(isShared(response)).toBe(false)
  })

  test('speaks the language of the reader', async () => {
    const { text } = await api.get('/report', { headers: { 'accept-language': 'de' } })
    expect(text).toContain('Meldung senden')
  })
})

describe('POST /report takes the report of', () => {
  test('an image by its page, thumbnail or file, a path or an address without a scheme', async () => {
    const { showUrl, thumbnailUrl, originalUrl } = await uploadImage(api)
    const { pathname } = new URL(showUrl)
    const urls = [
      showUrl,
      thumbnailUrl,
      originalUrl,
      pathname,
      `${showUrl}?lang=de#image`,
      `  www.two.example${pathname}\n`,
      `HTTP://THREE.EXAMPLE${pathname}`,
      `http://localhost:1234${pathname}`,
    ]
    for (const url of urls) {
      const response = await sendReport(api, { url })
      expect([url, response.status]).toEqual([url, 200])
      expect(response.text).toMatch(THANKS)
    }
  })

  test('an image of a gallery and the gallery, also by any of its pages', async () => {
    const { gallery, image } = await galleryWithImage(api, { finalized: true })
    for (const url of [image.showUrl, gallery.url, `${gallery.url}?page=2`]) {
      expect((await sendReport(api, { url })).status).toBe(200)
    }
  })

  test('a form sent as multipart', async () => {
    const { showUrl } = await uploadImage(api)
    const form = { url: showUrl, reason: 'copyright', details: 'mine', contact: '' }
    const headers = { 'cf-connecting-ip': freshAddress() }
    expect((await api.postMultipart('/report', form, { headers })).text).toMatch(THANKS)
  })

  test('any reason, the longest details and contact', async () => {
    const { showUrl: url } = await uploadImage(api)
    const address = freshAddress()
    for (const reason of ['illegal', 'child', 'copyright', 'personal', 'violence', 'other']) {
      const details = '漢'.repeat(DETAILS_MAX)
      const response = await sendReport(api, { url, reason, details, contact: 'x'.repeat(CONTACT_MAX) }, address)
      expect([reason, response.status]).toEqual([reason, 200])
    }
  })

  test('content on an unlisted host, by the host of the request', async () => {
    const { showUrl } = await uploadImage(api)
    const { pathname } = new URL(showUrl)
    const form = { url: `http://10.0.0.7:8787${pathname}`, reason: 'illegal' }
    expect((await api.postUrlencoded('/report', form, { host: '10.0.0.7:8787' })).status).toBe(200)
    expect((await api.postUrlencoded('/report', form)).status).toBe(422)
  })
})

describe('POST /report returns the form with the entered values and what to change', () => {
  const entered = { reason: 'other', details: 'a <b>\nc', contact: 'me@one.example' }

  test.for([
    ['no address', 'url', { url: '' }],
    ["another site's address", 'url', { url: 'https://other.example/show/1/1_a.jpg' }],
    ['the address of no content', 'url', { url: 'https://one.example/' }],
    ['an address of another kind', 'url', { url: 'javascript:alert(1)' }],
    ['a path that leads to another site', 'url', { url: '//other.example/show/1/1_a.jpg' }],
    ['an address too long', 'url', { url: `https://one.example/gallery/abc?${'x'.repeat(512)}` }],
    ['no reason', 'reason', { reason: '' }],
    ['an unknown reason', 'reason', { reason: 'dislike' }],
    ['no details where they are needed', 'details', { reason: 'other', details: '' }],
    ['details too long', 'details', { details: 'x'.repeat(DETAILS_MAX + 1) }],
    ['a contact too long', 'contact', { contact: 'x'.repeat(CONTACT_MAX + 1) }],
  ] as const)('422: %s', async ([, field, change]) => {
    const sent = { url: '/gallery/abcdefghij12', ...entered, ...change }
    const response = await sendReport(api, sent)
    expect(response.status).toBe(422)
    expect(response.text).toMatch(new RegExp(`<p class="error" role="alert" id="report-${field}-error">[^<]+<`))
    expect(alertsOf(response)).toHaveLength(1)
    if (field !== 'reason') expect(fieldAttribute(response, field, 'aria-describedby')).toBe(`report-${field}-error`)
    for (const name of ['url', 'details', 'contact']) {
      expect(fieldAttribute(response, name, 'aria-invalid')).toBe(name === field ? 'true' : undefined)
    }
    if (field !== 'contact') expect(fieldAttribute(response, 'contact', 'value')).toBe('me@one.example')
    if (field !== 'details') expect(response.text).toContain('>\na &lt;b&gt;\nc</textarea>')
    if (field !== 'reason') expect(response.text).toMatch(/value="other" required[^>]* checked/)
  })

  test('422: all faults at once', async () => {
    const response = await sendReport(api, { url: '', reason: '', contact: 'x'.repeat(CONTACT_MAX + 1) })
    expect(response.status).toBe(422)
    expect(alertsOf(response)).toHaveLength(3)
  })

  const deleted: [what: string, made: () => Promise<string>][] = [
    ['an unknown image', async () => 'https://one.example/show/1/2_a.png'],
    ['an unknown gallery', async () => 'https://one.example/gallery/abcdefghij12'],
    ['an image under another name', async () => (await uploadImage(api)).showUrl.replace('picture', 'other')],
    ['an unfinished gallery', async () => (await createGallery(api)).url],
    ['an image of an unfinished gallery', async () => (await galleryWithImage(api)).image.showUrl],
    [
      'a deleted image',
      async () => {
        const { showUrl, managementToken } = await uploadImage(api, { include_manage_url: '1' })
        await api.remove(managementToken)
        return showUrl
      },
    ],
  ]

  test.for(deleted)('404: %s', async ([, made]) => {
    const url = await made()
    const response = await sendReport(api, { url, ...entered })
    expect(response.status).toBe(404)
    expect(alertsOf(response)).toEqual([expect.stringContaining('There is no picture or gallery at this link')])
    expect(fieldAttribute(response, 'url', 'value')).toBe(url)
    expect(fieldAttribute(response, 'contact', 'value')).toBe('me@one.example')
  })

  test.for([
    [400, 'a body of no form', { headers: { 'content-type': 'application/json' }, body: '{}' }],
    [400, 'no body', {}],
    [400, 'a field twice', { headers: urlencoded(), body: 'url=a&url=b' }],
    [422, 'a field over its limit', { headers: urlencoded(), body: `details=${'x'.repeat(20_000)}` }],
    [413, 'a body over its limit', { headers: urlencoded(), body: `x=${'x'.repeat(70_000)}` }],
  ] as const)('%i: %s', async ([status, , ask]) => {
    const response = await api.send({ path: '/report', ...ask })
    expect(response.status).toBe(status)
    expect(alertsOf(response)).toHaveLength(1)
    expect(response.text).toContain('<form method="post"')
  })

  test('no response is shared with other origins', async () => {
    const { showUrl } = await uploadImage(api)
    for (const url of [showUrl, '', '/gallery/unknown12345'])
      expect(isShared(await sendReport(api, { url }))).toBe(false)
  })
})

describe('one client sends ten reports at once, then one a minute', () => {
  test('the eleventh is 429 with Retry-After, and the form still has its text', async () => {
    const { showUrl: url } = await uploadImage(api)
    const address = freshAddress()
    const startedMs = Date.now()
    for (let time = 0; time < 10; time++) expect((await sendReport(api, { url }, address)).status).toBe(200)
    const ask = () => sendReport(api, { url, details: 'still here' }, address)
    let refused = await ask()
    // On a slow machine a minute may pass before the eleventh.
    for (let time = 11; refused.status === 200; time++) {
      expect(Date.now() - startedMs).toBeGreaterThanOrEqual((time - 10) * 60_000)
      refused = await ask()
    }
    expect(refused.status).toBe(429)
    expect(Number(header(refused, 'retry-after'))).toBeGreaterThan(0)
    expect(Number(header(refused, 'retry-after'))).toBeLessThanOrEqual(60)
    expect(alertsOf(refused)).toHaveLength(1)
    expect(refused.text).toContain('>\nstill here</textarea>')
    expect((await sendReport(api, { url })).status).toBe(200)
  })

  test('the bucket is separate, and correcting a form spends nothing', async () => {
    const { showUrl: url } = await uploadImage(api)
    const address = freshAddress()
    for (let time = 0; time < 12; time++) expect((await sendReport(api, { url: '' }, address)).status).toBe(422)
    for (let time = 0; time < 5; time++) expect((await api.status([url], address)).status).toBe(200)
    expect((await sendReport(api, { url }, address)).status).toBe(200)
  })
})

test('a host for the API or for media has no report page', async () => {
  for (const host of ['api.one.example', 't1.one.example', 'img1.one.example']) {
    expect((await api.get('/report', { host })).status).toBe(404)
    expect((await api.postUrlencoded('/report', { url: '/' }, { host })).status).toBe(400)
  }
})

function urlencoded() {
  return { 'content-type': 'application/x-www-form-urlencoded' }
}
