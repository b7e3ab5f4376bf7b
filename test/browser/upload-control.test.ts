import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, inject } from 'vitest'
import { api, jpegOf } from './support/content.ts'
import { boxOf } from './support/layout.ts'
import {
  brokenInside,
  cardOf,
  choose,
  type PickedFile,
  pickedImages,
  resultLinks,
  resultsOf,
  start,
} from './support/upload-page.ts'
import { test } from './support/visit.ts'

const REFUSED = [/status of 4\d\d/]

describe.skipIf(!inject('chromium'))('users stay in control of an upload', () => {
  test('of a gallery that is cancelled: uploaded images are deleted, and cannot become public', async ({ visit }) => {
    const page = await visit('/', { complaints: REFUSED })
    const created = page.waitForResponse('**/galleries')
    await choose(page, [...(await pickedImages(2)), await brokenInside()])
    await page.getByLabel('Put all in one gallery').check()
    await start(page)
    const { gallery_hash, gallery_upload_hash } = await (await created).json()
    await page.locator('#failed-words', { hasText: '1 picture could not be uploaded.' }).waitFor()
    await page.getByRole('button', { name: 'Start over' }).click()
    const question = page.getByRole('dialog', { name: '2 pictures are already uploaded.' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.locator('#files > li').count()).toBe(3)
    await page.getByRole('button', { name: 'Start over' }).click()
    await question.getByRole('button', { name: 'Delete pictures' }).click()
    await page.locator('#upload[data-stage=empty]').waitFor()
    expect(await page.getByRole('status').filter({ hasText: /./ }).allInnerTexts()).toEqual([
      '2 pictures were deleted.',
    ])
    expect((await api.finalize(gallery_hash, gallery_upload_hash)).status).toBe(415)
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('upload ')))).toEqual([])
  })

  test('of single images: after a pause they are deleted, or stay with their links', async ({ visit }) => {
    const page = await visit('/', { complaints: [/net::ERR_ABORTED/] })
    for (const choice of ['Delete pictures', 'Keep pictures']) {
      let uploads = 0
      await page.unroute('**/images')
      await page.route('**/images', (route) => (++uploads === 1 ? route.continue() : undefined))
      await choose(page, await pickedImages(4))
      const first = page.waitForResponse('**/images')
      await start(page)
      const { show_url } = await (await first).json()
      await page.locator('.file[data-state=done]').waitFor()
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.locator('#stop').click()
      await page.getByRole('dialog').getByRole('button', { name: choice }).click()
      const keepsUploads = choice === 'Keep pictures'
      await page.locator(`#upload[data-stage=${keepsUploads ? 'done' : 'empty'}]`).waitFor({ state: 'attached' })
      expect((await api.follow(show_url, { host: new URL(show_url).host })).status).toBe(keepsUploads ? 200 : 404)
      expect(await resultLinks(page)).toEqual(keepsUploads ? [show_url] : [])
    }
  })

  test('of images that could not be deleted: the page says so, keeps them in the list and offers a retry', async ({
    visit,
  }) => {
    const page = await visit('/', { complaints: [/net::ERR_ABORTED/, /status of 503/] })
    let uploads = 0
    await page.route('**/images', (route) => (++uploads === 3 ? undefined : route.continue()))
    await choose(page, await pickedImages(3))
    await start(page)
    await expect.poll(() => page.locator('.file[data-state=done]').count()).toBe(2)
    let deletions = 0
    await page.route('**/delete', (route) => (++deletions === 2 ? route.fulfill({ status: 503 }) : route.continue()))
    await page.getByRole('button', { name: 'Cancel' }).click()
    const question = page.getByRole('dialog')
    const choice = question.getByRole('button', { name: 'Delete pictures' })
    await choice.click()
    const alert = question.getByRole('alert').filter({ hasText: /./ })
    expect(await alert.innerText()).toBe('1 picture was deleted. 1 picture could not be deleted. Please try again.')
    // The focus is where it was.
    expect(await choice.evaluate((button) => button === document.activeElement)).toBe(true)
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.locator('#files > li').count()).toBe(2)
    await page.locator('#stop').click()
    await question.getByRole('button', { name: 'Delete pictures' }).click()
    await page.locator('#upload[data-stage=empty]').waitFor()
    expect(await page.locator('#told').innerText()).toBe('1 picture was deleted.')
    await choose(page, await pickedImages(1))
    expect(await page.locator('#told').innerText()).toBe('')
  })

  test('of the location of a photograph: it is removed by default, and nothing else', async ({ visit }) => {
    const page = await visit('/')
    const photo = await photoWithLocation()
    await choose(page, [photo, ...(await pickedImages(1))])
    const badge = cardOf(page, photo.name).locator('.place')
    expect(await badge.innerText()).toBe('Location removed')
    expect(await cardOf(page, '1.jpg').locator('.place').isVisible()).toBe(false)
    const choice = page.getByRole('checkbox', { name: 'Remove location and camera data' })
    await choice.uncheck()
    expect(await badge.innerText()).toBe('Has location data')
    await choice.check()
    const [stripped] = await storedAfterUpload(page)
    if (!stripped) throw new Error('no file')
    expect(stripped.includes('Exif')).toBe(false)
    expect(await sharp(stripped).raw().toBuffer()).toEqual(await sharp(photo.buffer).raw().toBuffer())
    await page.getByRole('button', { name: 'Upload more' }).click()
    await choose(page, [photo])
    await choice.uncheck()
    const files = await storedAfterUpload(page)
    expect(files.at(-1)).toEqual(photo.buffer)
    // The choice is remembered.
    await page.reload()
    await choose(page, [photo])
    expect(await choice.isChecked()).toBe(false)
  })

  test('on a phone the main choices are visible beside the button, and the other options are a line above it', async ({
    visit,
  }) => {
    const page = await visit('/', { phone: true })
    const gallery = page.getByRole('checkbox', { name: 'Put all in one gallery' })
    const images = await pickedImages(9)
    await choose(page, images.slice(0, 1))
    expect(await gallery.count()).toBe(0)
    await choose(page, images.slice(1, 4))
    expect([await gallery.isChecked(), await page.getByLabel('Name of the gallery').isVisible()]).toEqual([
      false,
      false,
    ])
    await choose(page, images.slice(4))
    expect(await gallery.isChecked()).toBe(true)
    for (const part of [
      gallery,
      page.getByLabel('Name of the gallery'),
      page.getByRole('checkbox', { name: 'Remove location' }),
      page.locator('#options summary'),
      page.locator('#start'),
    ]) {
      const { y, height } = await boxOf(part)
      expect(y).toBeGreaterThan(400)
      expect(y + height).toBeLessThanOrEqual(800)
    }
    expect(await page.getByLabel('Thumbnail size').isVisible()).toBe(false)
    expect(await page.locator('#options-summary').innerText()).toBe('Thumbnail size (Large)')
    await page.locator('#options summary').click()
    await page.getByLabel('Adult content').check()
    await page.getByLabel('Thumbnail size').selectOption('Small')
    expect(await page.locator('#options-summary').innerText()).toBe('Adult content · Thumbnail size (Small)')
    const { y, height } = await boxOf(page.locator('#start'))
    expect(y + height).toBeLessThanOrEqual(800)
    await page.reload()
    await choose(page, await pickedImages(1))
    expect(await page.locator('#options-summary').innerText()).toBe('Adult content · Thumbnail size (Small)')
  })

  test('of the language: it is changed with the chosen files, and lasts', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await pickedImages(2))
    await page.locator('.menu summary').click()
    await page.getByRole('link', { name: 'Deutsch' }).click()
    await page.locator('html[lang=de]').waitFor()
    await cardOf(page, '2.jpg').waitFor()
    expect(await page.locator('#files .name').allInnerTexts()).toEqual(['1.jpg', '2.jpg'])
    for (const path of ['/', '/uploads']) {
      await page.goto(path)
      await page.locator('html[lang=de]').waitFor()
      expect(await page.locator('#files > li').count()).toBe(0)
    }
    await page.goto('/?lang=fr')
    expect(await page.locator('html').getAttribute('lang')).toBe('fr')
  })

  test('of results in one window that another one forgets: they are marked as no longer remembered', async ({
    visit,
  }) => {
    const page = await visit('/')
    await choose(page, await pickedImages(1))
    await start(page)
    await resultsOf(page)
    const words = page.locator('#remembered-words')
    expect(await words.innerText()).toBe('Saved on this device')
    const other = await page.context().newPage()
    await other.goto(new URL('/uploads', page.url()).href)
    await other.getByRole('button', { name: 'Clear list' }).click()
    await other.getByRole('dialog').getByRole('button', { name: 'Clear list' }).click()
    await expect.poll(() => words.innerText()).toMatch(/^Save these links now/)
    await other.close()
  })

  test.for([
    { what: 'forbids it', script: `Object.defineProperty(window, 'localStorage', { get() { throw new Error() } })` },
    { what: 'has no room', script: `Storage.prototype.setItem = () => { throw new Error() }` },
  ])('of results that a browser cannot remember, as it $what: nothing offers to', async ({ script }, { visit }) => {
    const page = await visit('/', { ownProfile: true })
    await page.addInitScript(script)
    await page.reload()
    await choose(page, await pickedImages(1))
    await start(page)
    await resultsOf(page)
    expect(await page.locator('#remembered-words').innerText()).toMatch(/^Save these links now/)
    expect(await page.locator('#remember').isVisible()).toBe(false)
    expect(await page.getByLabel('Link', { exact: true }).last().inputValue()).toContain('/manage/')
    // Once they are copied, they are not lost with the page.
    await page.locator('#private [data-copy]').first().click()
    await page.goto(new URL('/uploads', page.url()).href)
    expect(await page.getByRole('checkbox', { name: 'Save on this device' }).isDisabled()).toBe(true)
  })
})

/** Returns a photograph with location data (EXIF GPS), and with the model of a camera. */
async function photoWithLocation(): Promise<PickedFile> {
  const buffer = await sharp(await jpegOf(600, 400))
    .withExif({
      IFD0: { Model: 'SECRET' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
    })
    .jpeg()
    .toBuffer()
  return { name: 'Beach.jpg', mimeType: 'image/jpeg', buffer }
}

/** Uploads the chosen files. Returns the files of all results as the service stores them. */
async function storedAfterUpload(page: Page): Promise<Buffer[]> {
  await start(page)
  await resultsOf(page)
  await page.locator('#upload[data-stage=done]').waitFor({ state: 'attached' })
  await page.locator('#tab-file').click()
  const links = await resultLinks(page)
  const responses = await Promise.all(links.map((link) => api.follow(link, { host: new URL(link).host })))
  return responses.map(({ bytes }) => bytes)
}
