import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { header } from './support/client.ts'
import { expectApiError, expectTextError } from './support/responses.ts'
import { type Service, startService } from './support/service.ts'
import { createGallery, LEAST_COVER, LEAST_IMAGE, uploadImage } from './support/steps.ts'

/** Headers that a browser adds to the requests of a page of the service. */
const PAGE = { headers: { 'sec-fetch-site': 'same-origin', 'accept-language': 'en' } }
const NEW_UPLOAD = { file: LEAST_IMAGE.img ?? '', api_key: 'x' }
const SENTENCE = /^confirm on this service's upload page that you are human/

describe.skipIf(!mayStartServices())('TURNSTILE_SECRET (needs a service of its own)', () => {
  let service: Service
  let api: Api

  beforeAll(async () => {
    process.env.TURNSTILE_SECRET = 'secret-of-turnstile'
    service = await startService({ args: ['--turnstile-site-key', 'site-key'] })
    delete process.env.TURNSTILE_SECRET
    api = apiAt(service.baseUrl)
  }, 240_000)

  afterAll(() => service.stop())

  test('an upload of the page without a pass is 403, in the words of its operation', async () => {
    for (const refused of [await api.uploadImage(LEAST_IMAGE, PAGE), await api.uploadCover(LEAST_COVER, PAGE)]) {
      expectTextError(refused, 403)
      expect(refused.text).toMatch(SENTENCE)
      expect(header(refused, 'x-error-code')).toBe('human_check_required')
    }
    const described = await api.postMultipart('/new-upload/', NEW_UPLOAD, PAGE)
    expect(described.status).toBe(403)
    expect(JSON.parse(described.text).error.description).toMatch(SENTENCE)
    expectApiError(await api.createGallery({}, PAGE), 403)
  })

  test('the form without a script comes again, with the widget and the reason', async () => {
    for (const path of ['/upload', '/share']) {
      const again = await api.postMultipart(path, LEAST_IMAGE, PAGE)
      expect(again.status).toBe(403)
      expect(again.text).toContain('Confirm above that you are human, then try again.')
      expect(again.text).toContain('data-site-key="site-key"')
      expect(again.text).toContain('To upload, turn on JavaScript and reload this page.')
      expect(header(again, 'cache-control')).toBe('no-store')
    }
  })

  test('programs, and whoever has a private link, upload as before', async () => {
    const image = await uploadImage(api)
    expect((await api.follow(image.showUrl)).status).toBe(200)
    const gallery = await createGallery(api)
    const { status } = await api.postMultipart(`/management/${gallery.managementToken}/images`, LEAST_IMAGE, PAGE)
    expect(status).toBe(200)
  })

  test('the page alone may run Turnstile, and no cache keeps it', async () => {
    const home = await api.get('/')
    expect(header(home, 'content-security-policy')).toContain("script-src 'self' https://challenges.cloudflare.com;")
    expect(header(home, 'cache-control')).toBe('no-cache')
    expect(header(await api.get('/uploads'), 'content-security-policy')).not.toContain('challenges.cloudflare.com')
  })

  test.each([
    [['--turnstile-site-key', 'site-key'], 'TURNSTILE_SITE_KEY needs TURNSTILE_SECRET, which is not set'],
    [['--max-expiry', '1d', '--default-expiry', '7d'], 'DEFAULT_EXPIRY must be at most MAX_EXPIRY'],
  ])('a service with %j does not start', async (args, sentence) => {
    await expect(startService({ args })).rejects.toThrow(sentence)
  })

  test('an exchange without a token is 403, and sets no cookie', async () => {
    // Not by `api`, which knows documented operations and pages: this is for the page's script alone.
    const refused = await fetch(`${service.baseUrl}/human`, { method: 'POST', ...PAGE, body: new URLSearchParams() })
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'human_check_required'])
    expect([refused.headers.get('set-cookie'), refused.headers.get('cache-control')]).toEqual([null, 'no-store'])
    await refused.body?.cancel()
  })
})
