import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { file } from '../contract/support/multipart-body.ts'
import * as steps from '../contract/support/steps.ts'
import { findBarriers } from './support/axe.ts'
import { api, galleryOf, jpegOf, once, sharedGallery, uploadPhoto } from './support/content.ts'
import { boxOf, imagesLoaded, layoutShiftsOf, overflowOf } from './support/layout.ts'
import { expectCopied } from './support/moments.ts'
import { HANGING_MS } from './support/profiles.ts'
import { test } from './support/visit.ts'

const SIZES = [
  [300, 200],
  [200, 300],
  [250, 250],
] as const

const large = once(async () => uploadPhoto({ img: file('a.jpg', await jpegOf(3000, 2000)) }))

/** A gallery with one image, a JPEG with a preview. */
const withLarge = once(async () => {
  const gallery = await steps.createGallery(api, 'Large', { host: new URL(inject('baseUrl')).host })
  const image = await uploadPhoto({ img: file('Lac d’Été.JPG', await jpegOf(3000, 2000)), ...gallery.fields })
  await api.finalize(gallery.hash, gallery.uploadToken, { host: new URL(inject('baseUrl')).host })
  return { gallery, images: [image] }
})

const viewer = (page: Page) => page.getByRole('dialog')
const shownImage = (page: Page) => viewer(page).locator('.current img')

async function arrived(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.viewer-stage:not(.loading) .current img') !== null)
}

/** Stops the page's clock, which only the test advances. */
async function standStill(page: Page): Promise<void> {
  await page.clock.install({ time: 0 })
  // It advances between these two calls, and is not set back.
  await page.clock.pauseAt(HANGING_MS)
}

/** Waits for a closed dialog to disappear. It has no role any more, and exists until its page has handled the event. */
function closed(page: Page): Promise<void> {
  return page.locator('dialog').waitFor({ state: 'detached' })
}

async function openAt(page: Page, how: 'click' | 'Full size' = 'click'): Promise<void> {
  await imagesLoaded(page)
  if (how === 'click') await page.locator('#image').click()
  else await page.getByRole('button', { name: how }).click()
  await arrived(page)
}

describe.skipIf(!inject('chromium'))('the viewer', () => {
  test('shows an image over the whole window, as large as it fits; Escape, the button and going back close it', async ({
    visit,
  }) => {
    const { showUrl } = await large()
    const page = await visit(showUrl)
    for (const close of [
      () => page.keyboard.press('Escape'),
      () => page.getByRole('button', { name: 'Close' }).click(),
      () => page.goBack(),
    ]) {
      await openAt(page)
      const box = await boxOf(shownImage(page))
      expect([box.width, box.height]).toEqual([expect.closeTo(1200, 0), expect.closeTo(800, 0)])
      const background = await shownImage(page).evaluate((image) => getComputedStyle(image).backgroundImage)
      expect(background).toMatch(/^repeating-conic-gradient/)
      expect(await findBarriers(page)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
      await close()
      await closed(page)
      expect(page.url()).toBe(showUrl)
    }
  })

  test('opens again at once after it was closed, before the browser has gone back', async ({ visit }) => {
    const { showUrl } = await large()
    const page = await visit(showUrl)
    await openAt(page)
    await page.evaluate(() => {
      const dialog = document.querySelector('dialog')
      dialog?.addEventListener('close', () => document.getElementById('image')?.click())
      dialog?.close()
      return new Promise((resolve) => window.addEventListener('popstate', () => setTimeout(resolve), { once: true }))
    })
    expect(await viewer(page).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await closed(page)
  })

  test('at full size: by its button, by a double click, which stays under the pointer, and by 1 and 0', async ({
    visit,
  }) => {
    const { showUrl } = await large()
    const page = await visit(showUrl)
    await openAt(page, 'Full size')
    const width = async () => Math.round((await boxOf(shownImage(page))).width)
    expect(await width()).toBe(3000)
    await page.keyboard.press('0')
    expect(await width()).toBe(1200)
    const fitted = await boxOf(shownImage(page))
    const at = { x: fitted.x + fitted.width * 0.6, y: fitted.y + fitted.height * 0.4 }
    await page.mouse.dblclick(at.x, at.y)
    const full = await boxOf(shownImage(page))
    expect((at.x - full.x) / full.width).toBeCloseTo(0.6, 2)
    expect((at.y - full.y) / full.height).toBeCloseTo(0.4, 2)
    await page.keyboard.press('0')
    await page.keyboard.press('1')
    expect(await width()).toBe(3000)
  })

  test('the wheel zooms, the mouse moves, and no gap appears beside the image', async ({ visit }) => {
    const { showUrl } = await large()
    const page = await visit(showUrl)
    await openAt(page)
    await page.mouse.move(640, 400)
    for (let step = 0; step < 4; step++) await page.mouse.wheel(0, -100)
    await expect.poll(async () => (await boxOf(shownImage(page))).width).toBeCloseTo(1200 * 1.25 ** 4, 0)
    for (let drag = 0; drag < 3; drag++) {
      await page.mouse.move(200, 100)
      await page.mouse.down()
      await page.mouse.move(1200, 700, { steps: 5 })
      await page.mouse.up()
    }
    const box = await boxOf(shownImage(page))
    expect([box.x, box.y]).toEqual([expect.closeTo(0, 0), expect.closeTo(0, 0)])
    for (let step = 0; step < 9; step++) await page.mouse.wheel(0, 100)
    await expect.poll(async () => (await boxOf(shownImage(page))).width).toBeCloseTo(1200, 0)
  })

  test('follows fingers: two taps zoom, two fingers pinch about their middle, a swipe shows the neighbour, down closes', async ({
    visit,
  }) => {
    const { gallery, images } = await sharedGallery()
    const page = await visit(gallery.url, { phone: true })
    await page.locator('.images > a').nth(1).tap()
    await arrived(page)
    const session = await page.context().newCDPSession(page)
    // Fingers move at one speed, however slow the machine is.
    let timestamp = Date.now() / 1000 - 60
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: (readonly [x: number, y: number])[]) => {
      timestamp += 0.02
      const touchPoints = points.map(([x, y], id) => ({ id, x, y }))
      return session.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp })
    }
    const box = () => boxOf(shownImage(page))
    // It fits at its own size, so that two taps show it twice as large.
    expect((await box()).width).toBe(200)
    for (const width of [400, 200]) {
      timestamp += 1
      for (let tap = 0; tap < 2; tap++) {
        await touch('touchStart', [195, 400])
        await touch('touchEnd')
      }
      await expect.poll(async () => (await box()).width).toBe(width)
    }
    await touch('touchStart', [160, 380], [230, 380])
    await touch('touchMove', [125, 380], [265, 380])
    await expect.poll(async () => (await box()).width).toBe(400)
    await touch('touchEnd')
    await page.keyboard.press('0')
    // Halfway the neighbour is visible beside it; the view turns when the finger leaves.
    await touch('touchStart', [300, 400])
    for (const x of [280, 200, 100]) await touch('touchMove', [x, 402])
    await expect.poll(async () => (await box()).x).toBe(95 - 200)
    const neighbour = await boxOf(viewer(page).locator('.viewer-slide').nth(2))
    expect(neighbour.x).toBe(390 + 16 - 200)
    await touch('touchEnd')
    await viewer(page).getByText('3 / 3').waitFor()
    await touch('touchStart', [200, 300])
    for (const y of [320, 400, 600]) await touch('touchMove', [201, y])
    await touch('touchEnd')
    await closed(page)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(images[2]?.showUrl)
    expect(page.url()).toBe(gallery.url)
  })

  test('opens from a gallery with the thumbnail, then the preview, and the original as one zooms', async ({
    visit,
  }) => {
    const { gallery, images } = await withLarge()
    const page = await visit(gallery.url, { permissions: ['clipboard-read', 'clipboard-write'] })
    const files: string[] = []
    page.on('request', (request) => files.push(request.url()))
    const of = (folder: string) => files.filter((url) => url.includes(folder))
    await page.locator('.images > a').first().click()
    await arrived(page)
    const source = () => shownImage(page).evaluate((image: HTMLImageElement) => image.currentSrc)
    await expect.poll(source).toContain('/previews/')
    expect(of('/images/')).toEqual([])
    await page.keyboard.press('1')
    await expect.poll(() => of('/images/')).toEqual([images[0]?.originalUrl])
    await expect.poll(async () => Math.round((await boxOf(shownImage(page))).width)).toBe(3000)
    await viewer(page).getByRole('button', { name: 'Copy link' }).click()
    await expectCopied(page, images[0]?.showUrl ?? '')
    const download = viewer(page).getByRole('link', { name: 'Download' })
    expect(await download.getAttribute('href')).toBe(`${images[0]?.originalUrl}?download`)
    await page.getByRole('button', { name: 'About this picture' }).click()
    await viewer(page).getByText('3,000 × 2,000').waitFor()
    await viewer(page).getByText('Lac d’Été.JPG').waitFor()
    expect(await findBarriers(page)).toEqual([])
    await viewer(page).getByRole('link', { name: 'Open the page' }).click()
    await page.waitForURL(images[0]?.showUrl ?? '')
  })

  test('goes through the gallery with the next image loaded ahead, and closes on the page of the last one', async ({
    visit,
  }) => {
    const { images } = await sharedGallery()
    const [first, second, third] = images
    const page = await visit('/')
    const asked = new Set<string>()
    page.on('request', (request) => asked.add(request.url()))
    await page.goto(`${first?.showUrl}?lang=en`)
    await openAt(page)
    await viewer(page).getByText('1 / 3').waitFor()
    await expect.poll(() => asked.has(second?.originalUrl ?? '')).toBe(true)
    expect(asked.has(third?.originalUrl ?? '')).toBe(false)
    await page.keyboard.press('ArrowRight')
    await viewer(page).getByText('2 / 3').waitFor()
    await page.getByRole('button', { name: 'Next picture' }).click()
    await viewer(page).getByText('3 / 3').waitFor()
    expect(await page.getByRole('button', { name: 'Next picture' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('button', { name: 'Next picture' }).click({ force: true })
    await page.keyboard.press('Home')
    await viewer(page).getByText('1 / 3').waitFor()
    await page.keyboard.press('End')
    await viewer(page).getByText('3 / 3').waitFor()
    await page.keyboard.press('ArrowLeft')
    await viewer(page).getByText('2 / 3').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(`${second?.showUrl}?lang=en`)
  })

  test('shows the caption of each image, also of one that the image page loads with its gallery', async ({ visit }) => {
    const gallery = await steps.createGallery(api, 'Captions', { host: new URL(inject('baseUrl')).host })
    const captions = ['The lake “at 7”, <before> the wind', '', 'Abends am See']
    const uploaded = []
    for (const caption of captions) uploaded.push(await uploadPhoto({ ...gallery.fields, caption }))
    await api.finalize(gallery.hash, gallery.uploadToken, { host: new URL(inject('baseUrl')).host })
    const page = await visit(gallery.url)
    const caption = viewer(page).locator('.viewer-caption')
    await imagesLoaded(page)
    await page.locator('.images img').first().click()
    await arrived(page)
    for (const text of captions) {
      expect(await caption.textContent()).toBe(text)
      expect(await caption.isVisible()).toBe(text !== '')
      await page.keyboard.press('ArrowRight')
    }
    expect(await findBarriers(page)).toEqual([])
    await page.goto(uploaded[0]?.showUrl ?? '')
    await openAt(page)
    await viewer(page).getByText('1 / 3').waitFor()
    await page.keyboard.press('End')
    await viewer(page).getByText('3 / 3').waitFor()
    expect(await caption.textContent()).toBe(captions[2])
  })

  test('a slideshow of a gallery runs by itself, and ends at the image that was seen last', async ({ visit }) => {
    const { gallery, images } = await sharedGallery()
    const page = await visit('/', { ownProfile: true })
    await standStill(page)
    await page.goto(gallery.url)
    await page.getByRole('button', { name: 'Slideshow' }).click()
    const button = viewer(page).getByRole('button', { name: 'Slideshow' })
    for (const count of ['1 / 3', '2 / 3', '3 / 3']) {
      await viewer(page).getByText(count).waitFor()
      expect(await button.getAttribute('aria-pressed')).toBe('true')
      await arrived(page)
      await page.clock.runFor(5000)
    }
    expect(await button.getAttribute('aria-pressed')).toBe('false')
    await page.keyboard.press('Escape')
    await closed(page)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('href'))).toBe(images.at(-1)?.showUrl)
    expect(page.url()).toBe(gallery.url)
  })

  test('a slideshow continues if an image does not load, and shows its name instead', async ({ visit }) => {
    const { gallery, images } = await sharedGallery()
    const page = await visit('/', { ownProfile: true, complaints: [/ERR_FAILED/, /\/images\//] })
    await standStill(page)
    await page.route(images[0]?.originalUrl ?? '', (route) => route.abort())
    await page.goto(gallery.url)
    await page.getByRole('button', { name: 'Slideshow' }).click()
    await arrived(page)
    expect(await viewer(page).getByAltText('picture 1.png').isVisible()).toBe(true)
    await page.clock.runFor(5000)
    await viewer(page).getByText('2 / 3').waitFor()
  })

  test('shows nothing of a gallery with adult content before the reader agrees', async ({ visit }) => {
    const { gallery, images } = await galleryOf(SIZES, { fields: { content_type: '1' } })
    const page = await visit(gallery.url)
    const button = page.getByRole('button', { name: 'Slideshow' })
    expect(await button.count()).toBe(0)
    await page.getByRole('checkbox').check()
    await button.click()
    await viewer(page).getByText('1 / 3').waitFor()
    // The agreement holds for the images of the gallery in this tab, before anything is painted.
    for (const { showUrl } of images) {
      await page.goto(showUrl)
      expect(await page.locator('#image').isVisible()).toBe(true)
      expect(await layoutShiftsOf(page)).toEqual([])
    }
    await page.getByRole('checkbox').uncheck()
    await page.reload()
    expect(await page.locator('#image').isVisible()).toBe(false)
  })

  test('without scripts there is none, and the page is unchanged', async ({ visit }) => {
    const { gallery, images } = await sharedGallery()
    const page = await visit(images[0]?.showUrl ?? '', { script: false })
    await page.locator('#image').click()
    expect(page.url()).toBe(images[0]?.showUrl)
    await page.goto(gallery.url)
    expect(await page.getByRole('button').count()).toBe(0)
  })
})
