import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { expectJson } from '../contract/support/responses.ts'
import { api, filesWithRefusals, galleryOf, jpegOf } from './support/content.ts'
import { boxOf } from './support/layout.ts'
import { textsOf } from './support/moments.ts'
import { test } from './support/visit.ts'

/** Creates a public gallery with a guest link. */
async function guestGallery(limits: object = {}) {
  const { gallery } = await galleryOf([[300, 200]], { name: 'Party' })
  const { pathname, host } = new URL(gallery.url)
  const path = `/management/${gallery.managementToken}/guests`
  const { guest_url: guestUrl } = expectJson(await api.postJson(path, limits, { host }))
  const close = () => api.send({ path: `${path}/close`, host })
  const shown = async () => Number(expectJson(await api.get(`${pathname}.json`, { host })).image_count)
  return { gallery, guestUrl: String(guestUrl), close, shown }
}

async function photos(names: readonly string[]) {
  const buffer = await jpegOf(600, 400)
  return names.map((name) => ({ name, mimeType: 'image/jpeg', buffer }))
}

/** Returns all texts that the page reads from the service, which a guest could read. Those of uploads are in test/contract. */
function receivedTexts(page: Page): Promise<string>[] {
  const texts: Promise<string>[] = []
  page.on('response', (response) => {
    const isText = !/image|font/.test(response.headers()['content-type'] ?? '')
    // The script leaves responses to uploads unread, so they have no text.
    if (isText && response.request().method() === 'GET') texts.push(response.text().catch(() => ''))
  })
  return texts
}

describe.skipIf(!inject('chromium'))('the page of a guest link, on a phone', () => {
  test.for([true, false])('adds two images, and has no management link (scripts: %s)', async (script, { visit }) => {
    const { gallery, guestUrl, shown } = await guestGallery()
    const page = await visit(guestUrl, { phone: true, script })
    const texts = receivedTexts(page)
    await page.reload()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Party')
    await page.getByLabel('Choose pictures').setInputFiles(await photos(['one.jpg', 'two.jpg']))
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.getByText('Pictures added: 2').waitFor()
    expect(await page.getByRole('alert').isVisible()).toBe(false)
    expect(await shown()).toBe(3)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(390)
    const read = (await Promise.all([page.content(), ...texts])).join('\n')
    expect(read).toContain('Party')
    expect(read).not.toMatch(/\/manage\/|manage_url|\/management\//)
    expect(read).not.toContain(gallery.managementToken)
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]))).not.toContain(
      gallery.managementToken,
    )
    await page.getByRole('link', { name: 'Open the page' }).click()
    await page.waitForURL(gallery.url)
    expect(await page.locator('.images img').count()).toBe(3)
  })

  test('says until when it waits for the service, and can be stopped: the rest stays chosen', async ({ visit }) => {
    const { guestUrl, shown } = await guestGallery()
    const page = await visit(guestUrl, { phone: true, complaints: [/status of (?:429|503)/] })
    const later = { status: 503, headers: { 'Retry-After': '1' }, body: 'later' }
    const muchLater = { status: 429, headers: { 'Retry-After': '3600' }, body: 'later' }
    const refusals = [later, undefined, muchLater]
    await page.route('**/guests/*/images', (route) => {
      const refusal = refusals.shift()
      return refusal ? route.fulfill(refusal) : route.continue()
    })
    const said = await textsOf(page, '#sending-status')
    await page.getByLabel('Choose pictures').setInputFiles(await photos(['one.jpg', 'two.jpg', 'three.jpg']))
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.getByText(/^Your network has reached the upload limit\. Uploading resumes at \d+:\d\d/).waitFor()
    const texts = (await said()).join('\n')
    expect(texts).toMatch(
      /^Adding 1 of 3….*The service is busy\. Uploading resumes at.*Adding 1 of 3…\nAdding 2 of 3…/s,
    )
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Pictures added: 1').waitFor()
    expect(await page.getByRole('alert').isVisible()).toBe(false)
    expect(await page.locator('#stop, #sending-status:not(:empty)').filter({ visible: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.getByText('Pictures added: 2').waitFor()
    expect(await shown()).toBe(4)
  })

  test('says so when the link is closed, also to a guest who has the page open', async ({ visit }) => {
    const { guestUrl, close, shown } = await guestGallery()
    const page = await visit(guestUrl, { phone: true, complaints: [/status of 410/] })
    await page.getByLabel('Choose pictures').setInputFiles(await photos(['one.jpg']))
    await close()
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.getByRole('heading', { name: 'This link is closed' }).waitFor()
    const again = await page.goto(guestUrl)
    expect(again?.status()).toBe(410)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('This link is closed')
    expect(await page.locator('input[type=file]').count()).toBe(0)
    expect(await shown()).toBe(1)
  })

  test.for([true, false])(
    'says why each image was refused, and adds the others (scripts: %s)',
    async (script, { visit }) => {
      const { guestUrl, shown } = await guestGallery()
      const page = await visit(guestUrl, { phone: true, script, complaints: [/status of 4(?:14|22)/] })
      await page.getByLabel('Choose pictures').setInputFiles(await filesWithRefusals())
      await page.getByRole('button', { name: 'Add pictures' }).click()
      await page.getByText('Pictures added: 2').waitFor()
      expect(await page.getByRole('alert').innerText()).toBe('2 pictures could not be uploaded.')
      const refused = await page.locator('#refused li').allInnerTexts()
      expect(refused.map((text) => text.split(/\s*\n\s*/))).toEqual([
        ['cut <b>.jpg', 'The picture is damaged.'],
        ['notes.jpg', 'This file type isn’t supported. Accepted formats: JPEG, PNG, GIF, WebP, and AVIF.'],
      ])
      expect(await shown()).toBe(3)
    },
  )

  test('aligns refused names with their reasons, also from right to left', async ({ visit }) => {
    const { guestUrl } = await guestGallery()
    const page = await visit(`${guestUrl}?lang=ar`, { phone: true, complaints: [/status of 414/] })
    await page
      .locator('#img')
      .setInputFiles([{ name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('notes') }])
    await page.locator('#guest-form button[type=submit]').click()
    const name = page.locator('#refused .file-name')
    await name.waitFor()
    const right = await name.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().right
    })
    const { x, width } = await boxOf(page.locator('#refused li'))
    expect(Math.round(right)).toBe(Math.round(x + width))
  })

  test('says at once that a service without space accepts nothing', async ({ visit }) => {
    const { guestUrl } = await guestGallery()
    const page = await visit(guestUrl, { phone: true, complaints: [/status of 507/] })
    let uploads = 0
    await page.route('**/guests/*/images', (route) => {
      uploads++
      return route.fulfill({ status: 507, body: 'full' })
    })
    await page.getByLabel('Choose pictures').setInputFiles(await photos(['one.jpg', 'two.jpg']))
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.getByText('2 pictures could not be uploaded.').waitFor()
    expect(uploads).toBe(2)
  })

  test('says so when the link is full, and keeps what was added', async ({ visit }) => {
    const { guestUrl, shown } = await guestGallery({ max_images: 1 })
    const page = await visit(guestUrl, { phone: true, complaints: [/status of 403/] })
    await page.getByLabel('Choose pictures').setInputFiles(await photos(['one.jpg', 'two.jpg']))
    await page.getByRole('button', { name: 'Add pictures' }).click()
    await page.getByText('Pictures added: 1').waitFor()
    await page.getByText('1 picture could not be uploaded.').waitFor()
    expect(await shown()).toBe(2)
  })
})
