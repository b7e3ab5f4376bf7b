import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { expectJson, expectStatuses } from './support/responses.ts'
import { type Service, startService } from './support/service.ts'
import { createGallery, statusOf, uploadCover, uploadImage } from './support/steps.ts'

/**
 * Domains without subdomains: `https` as for all public ones (D5), and everything by path on one host, as for localhost
 * (D6).
 */
const KNOWN = 'pics.account.workers.dev'
const NAMED = 'single.example'

describe.skipIf(!mayStartServices())('needs a service of its own', { timeout: 240_000 }, () => {
  let service: Service
  let api: Api

  beforeAll(async () => {
    service = await startService({
      domains: ['one.example', KNOWN, NAMED, 'localhost'],
      singleHostDomains: [NAMED.toUpperCase()],
    })
    api = apiAt(service.baseUrl)
  }, 240_000)
  afterAll(() => service?.stop())

  describe.each([
    ['known as such', KNOWN],
    ['said to be such by SINGLE_HOST_DOMAINS', NAMED],
  ])('a domain %s: %s', (_, host) => {
    const origin = `https://${host}`

    test('serves the API, with every link on the one host', async () => {
      for (const upload of [uploadImage, uploadCover]) {
        const image = await upload(api, { include_manage_url: '1' }, { host })
        const path = /^\/show\/(.*)$/.exec(new URL(image.showUrl).pathname)?.[1]
        expect(image.showUrl).toBe(`${origin}/show/${path}`)
        expect(image.thumbnailUrl).toBe(`${origin}/thumbs/${path}`)
        expect(image.manageUrl).toBe(`${origin}/manage/${image.managementToken}`)
      }
      const gallery = await createGallery(api, '', { host })
      expect(gallery.url).toBe(`${origin}/gallery/${gallery.hash}`)
      expect(gallery.manageUrl).toBe(`${origin}/manage/${gallery.managementToken}`)
      const renamed = expectJson(await api.rename(gallery.managementToken, 'x', { host }))
      expect(renamed.gallery_url).toBe(gallery.url)
    })

    test('serves pages and media by path', async () => {
      const { showUrl, thumbnailUrl, managementToken } = await uploadImage(api, { include_manage_url: '1' }, { host })
      const originalUrl = showUrl.replace('/show/', '/images/')
      const show = await api.follow(showUrl)
      expect(show.status).toBe(200)
      expect(show.text).toContain(`src="${originalUrl}"`)
      expect(show.headers['content-security-policy']).toContain(`img-src 'self' blob: ${origin} ${origin};`)
      expect((await api.follow(`${origin}/manage/${managementToken}`)).status).toBe(200)
      expect((await api.follow(`${origin}/`)).text).toContain(`${origin}/images`)
      expect((await api.follow(thumbnailUrl)).headers['content-type']).toBe('image/webp')
      expect((await api.follow(originalUrl)).headers['content-type']).toBe('image/png')
    })

    test('the status operation accepts its show URLs over https and http, and no alias of them', async () => {
      const { showUrl } = await uploadImage(api, {}, { host })
      const { pathname } = new URL(showUrl)
      const urls = [showUrl, `http://${host}${pathname}`, `https://one.example${pathname}`]
      const foreign = [
        ...['www', 'api', 't1', 'img1'].map((prefix) => `https://${prefix}.${host}${pathname}`),
        `https://${host}:443${pathname}`,
        showUrl.replace('/show/', '/images/'),
        showUrl.replace('/show/', '/thumbs/'),
      ]
      expect(expectStatuses(await api.status([...urls, ...foreign]))).toEqual([
        ...urls.map(() => 'available'),
        ...foreign.map(() => 'invalid'),
      ])
    })

    test('has no hosts below it: those are like any unknown host', async () => {
      for (const prefix of ['www', 'api', 't1', 'img1']) {
        const { showUrl, thumbnailUrl } = await uploadImage(api, {}, { host: `${prefix}.${host}` })
        expect(showUrl, prefix).toMatch(/^https:\/\/one\.example\/show\//)
        expect(thumbnailUrl, prefix).toMatch(/^https:\/\/t1\.one\.example\/thumbs\//)
        expect((await api.get(new URL(showUrl).pathname, { host: `${prefix}.${host}` })).status, prefix).toBe(200)
      }
    })

    test("is the one host in the service's description of itself", async () => {
      const { showUrl } = await uploadImage(api, {}, { host })
      const embed = await api.get(`/oembed?${new URLSearchParams({ url: showUrl })}`, { host })
      expect(expectJson(embed)).toMatchObject({
        url: showUrl.replace('/show/', '/images/'),
        thumbnail_url: showUrl.replace('/show/', '/thumbs/'),
        provider_url: `${origin}/`,
      })
      const { text } = await api.get('/openapi.json', { host })
      expect(JSON.parse(text).servers).toEqual([expect.objectContaining({ url: origin })])
      expect(text).toContain(`${origin}/thumbs/`)
      expect(text).not.toContain(`//t1.${host}`)
      const manifest = JSON.parse((await api.get('/manifest.webmanifest', { host })).text)
      expect(manifest.share_target.action).toBe('/share')
      expect((await api.get('/sharex.sxcu', { host })).text).toContain(`"${origin}/images"`)
    })
  })

  test('an image has its links on the requested domain, of whichever kind', async () => {
    const { showUrl } = await uploadImage(api, {}, { host: KNOWN })
    const { pathname } = new URL(showUrl)
    expect((await api.get(pathname, { host: 'www.one.example' })).text).toContain('"https://img1.one.example/images/')
    expect((await api.get(pathname, { host: NAMED })).text).toContain(`"https://${NAMED}/images/`)
    expect(await statusOf(api, `https://${NAMED}${pathname}`)).toBe('available')
  })
})
