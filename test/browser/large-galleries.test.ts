import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { apiAt } from '../contract/support/api.ts'
import { inDatabase } from '../contract/support/database.ts'
import type { CreatedGallery, Uploaded } from '../contract/support/responses.ts'
import { type Service, startService, temporaryData } from '../contract/support/service.ts'
import { createGallery, uploadImage } from '../contract/support/steps.ts'
import { findBarriers } from './support/axe.ts'
import { galleryOf, linksOf } from './support/content.ts'
import { boxesOf, imagesLoaded, layoutShiftsOf, overflowOf } from './support/layout.ts'
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
