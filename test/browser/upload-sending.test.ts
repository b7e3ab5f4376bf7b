import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { openConnection } from './support/connection.ts'
import { api, filesOfAllFormats, jpegOf, jpegOfBytes } from './support/content.ts'
import { imagesLoaded, layoutShiftsOf } from './support/layout.ts'
import { textsOf } from './support/moments.ts'
import {
  cardOf,
  choose,
  galleryAddress,
  imageNamesIn,
  pickedImages,
  resultLinks,
  resultsOf,
  start,
} from './support/upload-page.ts'
import { test } from './support/visit.ts'

const UPLOAD_MAX_BYTES = 10_485_760

describe.skipIf(!inject('chromium'))('uploading images', () => {
  test('one of each format, each with its page', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await filesOfAllFormats())
    await start(page)
    await resultsOf(page)
    const links = await resultLinks(page)
    expect(links.map((link) => link.replace(/.*_/, ''))).toEqual([
      'one.jpg',
      'two.png',
      'three.gif',
      'four.webp',
      'five.avif',
    ])
    for (const link of links) expect((await api.follow(link, { host: new URL(link).host })).status).toBe(200)
  })

  test('runs three at a time, with progress for each and for all, and announces it now and then', async ({ visit }) => {
    const connection = await openConnection(inject('baseUrl'))
    try {
      const page = await visit(connection.baseUrl)
      const told = await textsOf(page, '#announcement')
      await choose(page, await pickedImages(7))
      await page.getByLabel('Put all in one gallery').uncheck()
      const mostAtOnce = await countUploads(page)
      connection.stallAfter(2)
      await start(page)
      await expect.poll(connection.stalled).toBe(3)
      const batch = page.getByRole('progressbar', { name: '2 of 7 uploaded' })
      const share = await batch.evaluate((bar) => (bar instanceof HTMLProgressElement ? bar.value : 0))
      expect(share).toBeGreaterThan(0.2)
      expect(await page.locator('.file[data-state=done]').first().innerText()).toContain('Done')
      expect(await page.locator('.file[data-state=sending], .file[data-state=processing]').allInnerTexts()).toEqual(
        Array(3).fill(expect.stringMatching(/Uploading, \d+%|Processing/)),
      )
      expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBeGreaterThan(0)
      connection.release()
      await resultsOf(page)
      expect(await mostAtOnce()).toBe(3)
      const announcements = await told()
      expect(announcements.at(0)).toBe('7 pictures, Put all in one gallery')
      expect(announcements.at(-1)).toBe('All 7 pictures uploaded.')
      expect(announcements.filter((text) => /^Uploading, \d+%$/.test(text)).length).toBeGreaterThan(0)
      expect(announcements.length).toBeLessThanOrEqual(6)
      // Its thumbnails use this connection, too.
      await page.goto('about:blank')
    } finally {
      await connection.close()
    }
  })

  test('puts all images into one gallery: named, in order, public', async ({ visit }) => {
    const page = await visit('/')
    // The large ones take longer, and arrive at their positions anyway.
    const images = await pickedImages(12)
    for (const [index, image] of images.entries()) {
      if (index % 4 === 0) image.buffer = await jpegOf(1200, 900, index + 1)
    }
    await choose(page, images)
    await page.getByLabel('Put all in one gallery').check()
    await page.getByLabel('Name of the gallery').fill('  Twelve   of them ')
    await start(page)
    await resultsOf(page)
    const names = await imageNamesIn(page)
    expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toBe('Twelve of them')
    expect(names).toEqual(images.map(({ name }) => name))
  })

  test('rejects an invalid name for the gallery, and then accepts a better one', async ({ visit }) => {
    const page = await visit('/', { complaints: [/status of 422/] })
    await choose(page, await pickedImages(2))
    await page.getByLabel('Put all in one gallery').check()
    const name = page.getByLabel('Name of the gallery')
    await name.fill('<b>')
    await start(page)
    await page.getByText('Use a name of up to 255 characters').waitFor()
    expect([
      await name.getAttribute('aria-invalid'),
      await name.evaluate((field) => field === document.activeElement),
    ]).toEqual(['true', true])
    await name.fill('b')
    await start(page)
    await resultsOf(page)
    expect(await galleryAddress(page)).toContain('/gallery/')
  })

  test('sends the options along', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, [{ name: 'large.jpg', mimeType: 'image/jpeg', buffer: await jpegOf(1600, 1200) }])
    await page.getByLabel('Adult content').check()
    await page.getByLabel('Reduce file size').check()
    await page.getByLabel('Thumbnail size').selectOption('Medium')
    await start(page)
    const results = await resultsOf(page)
    expect(await results.locator('.lead .saving').innerText()).toMatch(/^[\d.]+ [kK]B → [\d.]+ [kK]B \(\d+% smaller\)/)
    const thumbnail = results.locator('.lead img')
    expect([await thumbnail.getAttribute('width'), await thumbnail.getAttribute('height')]).toEqual(['350', '262'])
    const [link] = await resultLinks(page)
    expect(link).toMatch(/large\.webp$/)
    await page.goto(link ?? '')
    expect(await page.getByText('Adult content', { exact: true }).isVisible()).toBe(true)
  })

  test('accepts 10 MB to the byte and shows them, and warns before sending that more is too much', async ({
    visit,
  }) => {
    const page = await visit('/')
    const bytes = await jpegOfBytes(UPLOAD_MAX_BYTES)
    await choose(page, [
      { name: 'just.jpg', mimeType: 'image/jpeg', buffer: bytes },
      { name: 'over.jpg', mimeType: 'image/jpeg', buffer: Buffer.concat([bytes, Buffer.alloc(1)]) },
    ])
    expect(await page.locator('#unfit').innerText()).toMatch(/Larger than 10 MB or 100 megapixels\.\s+over\.jpg/)
    expect(await page.locator('#files > li').count()).toBe(1)
    // Nothing of it is removed: most of the file is comments.
    await page.locator('#strip').uncheck()
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    await page.getByRole('button', { name: 'Upload 1 picture' }).click()
    await resultsOf(page)
    expect(sent).toHaveLength(1)
    const [link = ''] = await resultLinks(page)
    expect(link).toMatch(/_just\.jpg$/)
    await page.goto(link)
    await imagesLoaded(page)
    expect(await page.locator('#image').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(900)
    expect(await page.locator('.facts').innerText()).toContain('10 MB')
    expect(await layoutShiftsOf(page)).toEqual([])
  })

  test('warns users who leave in the middle of it, and nobody else', async ({ visit }) => {
    const page = await visit('/')
    const warnings: string[] = []
    page.on('dialog', (dialog) => {
      warnings.push(dialog.type())
      void dialog.dismiss()
    })
    await choose(page, await pickedImages(1))
    const release = await holdUploads(page)
    await start(page)
    await page.locator('.file[data-state=sending]').waitFor()
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => warnings).toEqual(['beforeunload'])
    expect(page.isClosed()).toBe(false)
    release()
    await resultsOf(page)
    await page.reload()
    expect(warnings).toHaveLength(1)
    expect(await page.locator('#earlier').innerText()).toBe('1 picture uploaded. Your uploads')
    await choose(page, await pickedImages(1))
    expect(await page.locator('#earlier').isVisible()).toBe(false)
  })

  test('can be paused: images that are being sent end, and the others wait; or cancelled, with the list as it was', async ({
    visit,
  }) => {
    const page = await visit('/', { complaints: [/net::ERR_ABORTED/] })
    const heights = () => page.locator('.file').evaluateAll((cards) => cards.map((card) => card.clientHeight))
    let uploads = 0
    page.on('request', (request) => {
      if (request.method() === 'POST') uploads++
    })
    await choose(page, await pickedImages(4))
    const before = await heights()
    await page.route('**/images', () => undefined)
    await start(page)
    await expect.poll(() => uploads).toBe(3)
    expect(await heights()).toEqual(before)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Upload 4 pictures' }).waitFor()
    expect(await heights()).toEqual(before)
    await page.unroute('**/images')
    const release = await holdUploads(page)
    await start(page)
    await expect.poll(() => uploads).toBe(6)
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    release()
    await expect.poll(() => page.locator('.file[data-state=done]').count()).toBe(3)
    expect([uploads, await page.locator('.file[data-state=waiting]').count()]).toEqual([6, 1])
    expect(await heights()).toEqual(before)
    expect(await page.locator('#failed-words').innerText()).toBe('')
    await page.getByRole('button', { name: 'Resume' }).click()
    await resultsOf(page)
    expect(await resultLinks(page)).toHaveLength(4)
    expect(uploads).toBe(7)
  })

  test('accepts more while it is paused, or at the last moment: they go into the gallery with the others', async ({
    visit,
  }) => {
    const page = await visit('/', { complaints: [/net::ERR_ABORTED/] })
    const [first, second, third, fourth] = await pickedImages(4)
    if (!first || !second || !third || !fourth) throw new Error('no pictures')
    await choose(page, [first, second])
    await page.getByLabel('Put all in one gallery').check()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let answered = () => undefined
    await page.route('**/images', async (route) => {
      await released
      const response = await route.fetch()
      await route.fulfill({ response })
      answered()
    })
    await start(page)
    await page.locator('.file[data-state=processing], .file[data-state=sending]').first().waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await choose(page, [third])
    // Checking takes as long as the last response.
    let uploads = 0
    const read = await page.evaluateHandle(() => {
      const { slice } = File.prototype
      const waiting: (() => void)[] = []
      File.prototype.slice = function (...args) {
        File.prototype.slice = slice
        const part = slice.apply(this, args)
        const bytes = part.arrayBuffer()
        part.arrayBuffer = async () => {
          await new Promise<void>((resolve) => waiting.push(resolve))
          return bytes
        }
        return part
      }
      return waiting
    })
    const all = new Promise<void>((resolve) => {
      answered = () => {
        if (++uploads === 3) resolve()
        return undefined
      }
    })
    release()
    await page.locator('#img').setInputFiles([fourth])
    await page.getByRole('button', { name: 'Resume' }).click()
    await all
    await expect.poll(() => page.locator('.file[data-state=done]').count()).toBe(3)
    await read.evaluate((waiting) => {
      for (const resolve of waiting) resolve()
    })
    await resultsOf(page)
    const names = await imageNamesIn(page)
    expect(names).toEqual(['1.jpg', '2.jpg', '3.jpg', '4.jpg'])
  })

  test('accepts more at any time: files that are added during the upload go with the others', async ({ visit }) => {
    const page = await visit('/')
    const [first, second, third] = await pickedImages(3)
    if (!first || !second || !third) throw new Error('no pictures')
    await choose(page, [first])
    const release = await holdUploads(page)
    await page.getByRole('button', { name: 'Upload 1 picture' }).click()
    await choose(page, [second])
    await cardOf(page, '2.jpg').waitFor()
    release()
    await resultsOf(page)
    expect((await resultLinks(page)).map((link) => link.replace(/.*_/, ''))).toEqual(['1.jpg', '2.jpg'])
    // On the results a file can be dropped or pasted, too, and appears below.
    await choose(page, [third])
    await page.getByRole('button', { name: 'Upload 1 picture' }).click()
    await expect.poll(() => resultLinks(page)).toHaveLength(3)
    expect((await resultLinks(page)).map((link) => link.replace(/.*_/, ''))).toEqual(['1.jpg', '2.jpg', '3.jpg'])
  })
})

/** Holds all uploads until the returned function is called. */
async function holdUploads(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/images', async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Counts the simultaneous uploads of a page from now on. Returns their maximum. */
async function countUploads(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    let [now, most] = [0, 0]
    const { send } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.send = function (body) {
      most = Math.max(most, ++now)
      Object.assign(window, { most })
      this.addEventListener('readystatechange', () => {
        if (this.readyState === XMLHttpRequest.DONE) now--
      })
      send.call(this, body)
    }
  })
  return () => page.evaluate(() => ('most' in window ? Number(window.most) : 0))
}
