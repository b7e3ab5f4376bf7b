import type { Page, Route } from 'playwright-core'
import { describe, expect, inject } from 'vitest'

import { file } from '../contract/support/multipart-body.ts'
import { uploadImage } from '../contract/support/steps.ts'
import { api, jpegOf } from './support/content.ts'
import { imagesLoaded } from './support/layout.ts'
import { PLAIN_HTTP_HOST, test } from './support/visit.ts'

/** Pages on one host and images on two others, as in production (D4). */

describe.skipIf(!inject('chromium'))('under public domains', () => {
  test('the policy of each page allows its own images', async ({ visit }) => {
    const { gallery, image } = await publish()
    const page = await visit('/')
    await responseForDomains(page)
    for (const address of [image.showUrl, gallery.url, image.manageUrl, gallery.manageUrl]) {
      await page.goto(address ?? '')
      await imagesLoaded(page)
    }
    await page.goto('https://www.two.example/')
    await page.locator('.menu summary').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.waitForURL('https://two.example/?lang=de')
  })

  test('no host except that of the pages receives a private address', async ({ visit }) => {
    const { image } = await publish()
    const page = await visit('/')
    const asked = await responseForDomains(page)
    await page.goto(image.manageUrl ?? '')
    await imagesLoaded(page)
    await page.locator(`a[href="${image.showUrl}"]`).click()
    await page.waitForURL(image.showUrl)
    await imagesLoaded(page)
    expect([...new Set(asked.map(({ url }) => new URL(url).host))].sort()).toEqual([
      'img1.one.example',
      'one.example',
      't1.one.example',
    ])
    for (const { url, referer } of asked) expect(referer ?? '', url).not.toContain('/manage/')
  })

  test('a management page served at www posts to its own form', async ({ visit }) => {
    const { gallery } = await publish()
    const page = await visit('/')
    await responseForDomains(page)
    await page.goto((gallery.manageUrl ?? '').replace('//', '//www.'))
    await page.getByLabel('Name', { exact: true }).fill('Renamed at www')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByText('Gallery renamed.').waitFor()
  })
})

describe.skipIf(!inject('chromium'))('on plain HTTP, which has no secure context', () => {
  test('the management page adds images and moves them', async ({ visit }) => {
    const { gallery } = await publish()
    const page = await visit('/', { complaints: [/Cross-Origin-Opener-Policy header has been ignored/] })
    await responseForDomains(page)
    const { pathname } = new URL(gallery.manageUrl)
    await page.goto(`http://${PLAIN_HTTP_HOST}:${new URL(inject('baseUrl')).port}${pathname}`)
    expect(await page.evaluate(() => [isSecureContext, typeof crypto.randomUUID])).toEqual([false, 'undefined'])
    const buffer = await jpegOf(300, 200)
    const files = ['b.jpg', 'c.jpg'].map((name) => ({ name, mimeType: 'image/jpeg', buffer }))
    await page.getByLabel('Choose pictures').setInputFiles(files)
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.waitForURL(/page=/)
    const names = () =>
      page.locator('.managed-images .file-name').evaluateAll((all) => all.map((name) => name.getAttribute('title')))
    expect(await names()).toEqual(['a.jpg', 'b.jpg', 'c.jpg'])
    await page.getByRole('button', { name: 'Move earlier: c.jpg' }).click()
    await page.getByText('Saved.').waitFor()
    await page.reload()
    expect(await names()).toEqual(['a.jpg', 'c.jpg', 'b.jpg'])
  })
})

async function publish() {
  const gallery = await api.createGallery({ gallery_name: 'Public', include_manage_url: '1' })
  const { gallery_hash, gallery_upload_hash, gallery_url, manage_url } = JSON.parse(gallery.text)
  const img = file('a.jpg', await jpegOf(600, 400))
  await uploadImage(api, { img, gallery_hash, gallery_upload_hash })
  await api.finalize(gallery_hash, gallery_upload_hash)
  return {
    gallery: { url: String(gallery_url), manageUrl: String(manage_url) },
    image: await uploadImage(api, { img, include_manage_url: '1' }),
  }
}

/** Fulfills requests of the browser to the public domains with responses of the service. Returns all requests. */
async function responseForDomains(page: Page): Promise<{ url: string; referer: string | undefined }[]> {
  const asked: { url: string; referer: string | undefined }[] = []
  await page.route(/^https:\/\/([a-z0-9]+\.)?(one|two|three)\.example\//, async (route) => {
    const { referer } = await route.request().allHeaders()
    asked.push({ url: route.request().url(), referer })
    await passOn(route)
  })
  return asked
}

async function passOn(route: Route): Promise<void> {
  const asking = route.request()
  const { host, pathname, search } = new URL(asking.url())
  const { 'content-type': contentType } = await asking.allHeaders()
  const body = asking.postDataBuffer()
  const { status, headers, bytes } = await api.send({
    method: asking.method(),
    path: pathname + search,
    host,
    headers: { ...(contentType ? { 'content-type': contentType } : {}) },
    ...(body ? { body } : {}),
  })
  const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  await route.fulfill({ status, headers: flat, body: bytes })
}
