import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { apiAt } from '../contract/support/api.ts'
import { inDatabase } from '../contract/support/database.ts'
import { plain, png } from '../contract/support/images.ts'
import { file } from '../contract/support/multipart-body.ts'
import type { CreatedGallery, Uploaded } from '../contract/support/responses.ts'
import { type Service, startService, temporaryData } from '../contract/support/service.ts'
import { createGallery, uploadImage } from '../contract/support/steps.ts'
import { findBarriers } from './support/axe.ts'
import { api, galleryOf, jpegOf, uploadPhoto } from './support/content.ts'
import { type Box, boxesOf, imagesLoaded, layoutShiftsOf, overflowOf } from './support/layout.ts'
import { expectCopied } from './support/moments.ts'
import { test } from './support/visit.ts'

const RATIOS: readonly (readonly [number, number])[] = [
  [400, 267],
  [267, 400],
  [400, 100],
  [350, 350],
  [100, 400],
  [400, 266],
  [64, 40],
]
const SIZES = Array.from({ length: 100 }, (_, index) => RATIOS[index % RATIOS.length] ?? ([1, 1] as const))

describe.skipIf(!inject('chromium'))('a gallery of 100 images', () => {
  let large: { gallery: CreatedGallery; images: Uploaded[] }
  beforeAll(async () => {
    large = await galleryOf(SIZES, { name: 'One hundred', fields: { max_th_size: '400' } })
  })

  test('has its images on one page, in order', async ({ visit }) => {
    const { gallery, images } = large
    const page = await visit(gallery.url)
    expect(await page.getByText('100 pictures').count()).toBe(1)
    expect(await linksOf(page)).toEqual(images.map(({ showUrl }) => showUrl))
    expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0)
  })

  test.for([{ phone: false }, { phone: true }])(
    'loads distant thumbnails only after scrolling, and nothing moves (phone: $phone)',
    async ({ phone }, { visit }) => {
      // A narrow window, in which the page is high, because browsers load a few thousand pixels ahead. It has a profile of
      // its own, because earlier images come from the memory cache at once, lazy or not.
      const own = { ownProfile: true }
      const page = await visit('/', phone ? { ...own, phone } : { ...own, window: { width: 360, height: 500 } })
      await page.goto(large.gallery.url, { waitUntil: 'networkidle' })
      await imagesLoaded(page)
      const areHere = () =>
        page
          .locator('.images img')
          .evaluateAll((images) => images.map((image) => image instanceof HTMLImageElement && image.complete))
      const before = await areHere()
      expect(before.filter((isHere) => isHere).length).toBeLessThan(90)
      expect(before.at(-1)).toBe(false)
      await page.locator('.images img').evaluateAll(async (images) => {
        for (const image of images) {
          image.scrollIntoView({ block: 'nearest' })
          if (image instanceof HTMLImageElement && !image.complete) {
            await new Promise((resolve) => image.addEventListener('load', resolve, { once: true }))
          }
        }
      })
      expect(await areHere()).toEqual(Array(100).fill(true))
      await imagesLoaded(page)
      expect(await layoutShiftsOf(page)).toEqual([])
      expect(await overflowOf(page)).toBe(0)
    },
  )

  test('fills its rows with whole images at every width, without enlarging thumbnails for it', async ({ visit }) => {
    const page = await visit(large.gallery.url)
    for (const width of [320, 390, 820, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      const boxes = await boxesOf(page, '.images a')
      const images = await boxesOf(page, '.images img')
      const [frame] = await boxesOf(page, '.images')
      for (const [index, box] of boxes.entries()) {
        const [w, h] = thumbnailSize(large.images[index])
        const what = `picture ${index + 1} at ${width}`
        expect(Math.min(box.width / w, box.height / h), what).toBeLessThan(1.505)
        // A panorama is as high as its row, which in a narrow window has no other image.
        const ratio = h === 40 ? 1 : h === 100 && width > 640 ? 600 / 399 : w / h
        expect(Math.abs(box.width - box.height * ratio), what).toBeLessThan(2)
        if (h === 40) expect(box.width, what).toBeCloseTo(Math.min(96, 0.27 * width), 0)
        if (h === 100 && width < 640) expect(box.width, what).toBe(frame?.width)
        expect(images[index]).toEqual(box)
      }
      const rows = rowsOf(boxes)
      expect(rows.flat()).toHaveLength(100)
      for (const row of rows.slice(0, -1)) {
        const last = row.at(-1)
        const right = (last?.x ?? 0) + (last?.width ?? 0)
        // Icons are not enlarged.
        const high = row.filter((box) => box.height > 97)
        const isHighest = (high[0]?.height ?? Number.POSITIVE_INFINITY) > Math.min(0.99 * 399, 0.8 * width)
        const missing = (frame?.x ?? 0) + (frame?.width ?? 0) - right
        if (!isHighest) expect(Math.abs(missing), `the right edge at ${width}`).toBeLessThan(1)
        for (const box of high) expect(Math.abs(box.height - (high[0]?.height ?? 0)), `${width}`).toBeLessThan(1.5)
      }
    }
  })

  test('has the codes of all its images, a line each', async ({ visit }) => {
    const { gallery, images } = large
    const page = await visit(gallery.url, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('link', { name: 'Embed codes for all pictures' }).click()
    await page.waitForURL(`${gallery.url}/codes`)
    expect(await page.getByLabel('Links', { exact: true }).inputValue()).toBe(
      images.map(({ showUrl }) => showUrl).join('\n'),
    )
    for (const width of [320, 768, 1024]) {
      await page.setViewportSize({ width, height: 800 })
      const widths = (await boxesOf(page, '.code textarea')).map((box) => box.width)
      expect(Math.min(...widths), `the narrowest field at ${width}`).toBeGreaterThan(150)
    }
    await page.getByRole('button', { name: 'Copy BBCode, Linked thumbnail' }).click()
    const codes = images.map(({ showUrl, thumbnailUrl }) => `[url=${showUrl}][img]${thumbnailUrl}[/img][/url]`)
    await expectCopied(page, codes.join('\n'))
    await page.getByRole('link', { name: 'One hundred' }).click()
    await page.waitForURL(gallery.url)
  })
})

describe.skipIf(!inject('chromium'))('a gallery of 1,001 images (needs a service of its own)', () => {
  let data: Awaited<ReturnType<typeof temporaryData>>
  let service: Service
  beforeAll(async () => {
    data = await temporaryData()
    service = await startService({ data: data.path })
  })
  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  test('has two pages with links to each other', async ({ visit }) => {
    const address = await galleryOf1001(service.baseUrl, data.path)
    // The rows exist, but not the files.
    const page = await visit(address, { complaints: [/status of 404/] })
    const first = await linksOf(page)
    expect(first).toHaveLength(1000)
    expect(await page.locator('.share > div > input').inputValue()).toContain(first.at(-1))
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.waitForURL(`${address}?page=2`)
    expect(await page.getByText('Page 2 of 2').count()).toBe(1)
    const last = await linksOf(page)
    expect([last.length, new Set([...first, ...last]).size]).toEqual([1, 1001])
    expect(await page.getByRole('link', { name: 'Next page' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Download part 2 of 2' }).getAttribute('href')).toMatch(/\?part=2$/)
    expect(await findBarriers(page)).toEqual([])
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(address)
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(`${address}?page=2`)
  })
})

describe.skipIf(!inject('chromium'))('a gallery', () => {
  test('of one small image does not enlarge it', async ({ visit }) => {
    const { gallery } = await galleryOf([[60, 40]], { name: '' })
    const page = await visit(gallery.url)
    expect(await page.getByText('Untitled gallery').count()).toBe(1)
    expect(await page.getByText(/^1 picture · /).count()).toBe(1)
    const [box] = await boxesOf(page, '.images img')
    expect(box?.width).toBeLessThan(250)
  })

  test('of four images is as large as their thumbnails; icons are not enlarged, and strips are visible', async ({
    visit,
  }) => {
    const sizes = [
      [750, 500],
      [32, 32],
      [100, 2000],
      [2000, 100],
    ] as const
    const { gallery, images } = await galleryOf(sizes, { fields: { max_th_size: '500' } })
    const heights = images.map(({ thumbnail }) => thumbnail.height)
    for (const phone of [false, true]) {
      const page = await visit(gallery.url, { phone })
      await imagesLoaded(page)
      const boxes = await boxesOf(page, '.images a')
      expect(boxes[heights.indexOf(333)]?.height).toBeGreaterThan(phone ? 200 : 300)
      // The icon, the tall strip and the low one, which have another order than their uploads.
      const [icon, tall, low] = [32, 500, 25].map((height) => boxes[heights.indexOf(height)])
      expect(Math.min(icon?.width ?? 0, tall?.width ?? 0, low?.height ?? 0)).toBeGreaterThan(48)
      expect([icon?.width, low?.width]).toEqual([96, phone ? 358 : 750])
      const fits = await page
        .locator('.images img')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).objectFit))
      expect(fits).toEqual(
        heights.map((height) => (height === 333 ? 'cover' : height === 32 ? 'scale-down' : 'contain')),
      )
      expect(await page.getByRole('link', { name: 'picture-1.png', exact: true }).count()).toBe(1)
      expect(await overflowOf(page)).toBe(0)
      expect(await layoutShiftsOf(page)).toEqual([])
    }
  })

  test('of strips beside photographs has a row for each low strip, at most six times as wide as high', async ({
    visit,
  }) => {
    const sizes = [...RATIOS.slice(0, 3), [2000, 100], [1600, 100], [100, 2000], [350, 350]] as const
    const { gallery, images } = await galleryOf(sizes, { fields: { max_th_size: '500' } })
    const page = await visit(gallery.url, { window: { width: 1440, height: 900 } })
    const boxes = await boxesOf(page, '.images a')
    for (const [index, box] of boxes.entries()) {
      const [w, h] = thumbnailSize(images[index])
      const isStrip = w / h > 10
      expect(rowsOf(boxes).filter((row) => row.length === 1 && row.includes(box)).length > 0, `${w} x ${h}`).toBe(
        isStrip,
      )
      if (isStrip) expect([box.width, box.height]).toEqual([750, 125])
    }
  })

  test('shows transparent images on a checkerboard, which is no larger than an icon; a JPEG has none', async ({
    visit,
  }) => {
    const here = { host: new URL(inject('baseUrl')).host }
    const gallery = await createGallery(api, 'Formats', here)
    const names = ['icon.png', 'large.png', 'photo.jpg']
    const bytes = [await png(plain(64, 32, [9, 9, 9])), await png(plain(300, 200, [9, 9, 9])), await jpegOf(300, 200)]
    for (const [index, name] of names.entries()) {
      await uploadPhoto({ img: file(name, bytes[index] ?? Buffer.alloc(0)), ...gallery.fields })
    }
    await api.finalize(gallery.hash, gallery.uploadToken, here)
    const page = await visit(gallery.url)
    const background = await page.locator('.images img').evaluateAll((all) =>
      all.map((one) => {
        const { backgroundImage, backgroundClip, paddingLeft, paddingTop } = getComputedStyle(one)
        const inner = (side: number, padding: string) => Math.round(side - 2 * Number.parseFloat(padding))
        const { width, height } = one.getBoundingClientRect()
        return {
          checks: backgroundImage.startsWith('repeating-conic-gradient') && backgroundClip === 'content-box',
          size: [inner(width, paddingLeft), inner(height, paddingTop)],
        }
      }),
    )
    const byName = Object.fromEntries(
      (await linksOf(page)).map((link, index) => [link.split('_').at(-1), background[index]]),
    )
    expect(byName['icon.png']).toEqual({ checks: true, size: [64, 32] })
    expect([byName['large.png']?.checks, byName['photo.jpg']?.checks]).toEqual([true, false])
  })

  test('shows the number of images and the date, and a button at the top copies its link', async ({ visit }) => {
    const day = () => new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date())
    const before = day()
    const { gallery } = await galleryOf([[60, 40]])
    const page = await visit(gallery.url, { permissions: ['clipboard-read', 'clipboard-write'] })
    // Midnight may be between them.
    expect([before, day()].map((date) => `1 picture · ${date}`)).toContain(
      await page.getByText(/^1 picture · /).innerText(),
    )
    await page.getByRole('button', { name: 'Copy link', exact: true }).click()
    await expectCopied(page, gallery.url)
    await page.getByRole('link', { name: 'Embed codes', exact: true }).click()
    await page.waitForURL(`${gallery.url}/codes`)
    expect(await page.getByLabel('File', { exact: true }).inputValue()).toMatch(/\/images\/\S+_picture-1\.png$/)
  })

  test.for([true, false])(
    'with an adult image is behind a content warning as a whole (scripts: %s)',
    async (script, { visit }) => {
      const { gallery } = await galleryOf(RATIOS.slice(0, 3), { fields: { content_type: '1' } })
      const page = await visit('/', { script })
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/')[1] ?? ''))
      const thumbnails = () => asked.filter((folder) => folder === 'thumbs').length
      await page.goto(gallery.url, { waitUntil: 'networkidle' })
      const first = page.locator('.images img').first()
      // Browsers without scripts load no image before, because its time would reveal how far the reader scrolled.
      expect([await first.isVisible(), thumbnails()]).toEqual([false, script ? 0 : 3])
      expect(await page.locator('meta[property="og:image"]').count()).toBe(0)
      await page.getByRole('checkbox').press('Space')
      expect(await first.isVisible()).toBe(true)
      await expect.poll(thumbnails).toBe(3)
    },
  )
})

/** Creates it quickly: one image, and 1,000 copies of its row. */
async function galleryOf1001(baseUrl: string, data: string): Promise<string> {
  const here = { host: new URL(baseUrl).host }
  const api = apiAt(baseUrl)
  const gallery = await createGallery(api, 'Many', here)
  await uploadImage(api, gallery.fields, here)
  await api.finalize(gallery.hash, gallery.uploadToken, here)
  inDatabase(data, (database) =>
    database.exec(`
    WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 1000)
    INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id)
    SELECT id + n, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id
    FROM images, more`),
  )
  return gallery.url
}

function linksOf(page: Page): Promise<string[]> {
  return page.locator('.images a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
}

function thumbnailSize(image: Uploaded | undefined): [number, number] {
  return [image?.thumbnail.width ?? 0, image?.thumbnail.height ?? 1]
}

function rowsOf(boxes: readonly Box[]): Box[][] {
  const rows: Box[][] = []
  for (const box of boxes) {
    const row = rows.at(-1)
    const before = row?.at(-1)
    if (row && before && before.x < box.x) row.push(box)
    else rows.push([box])
  }
  return rows
}
