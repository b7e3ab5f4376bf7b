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
import { api, galleryOf, jpegOf, once, uploadPhoto } from './support/content.ts'
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

/** Photographs, panoramas, strips, squares, icons and small images. */
const SHAPES: readonly (readonly [number, number])[] = [
  ...([
    [1200, 800],
    [800, 1200],
    [1200, 900],
    [1280, 320],
    [900, 1200],
    [1200, 675],
    [64, 64],
    [1000, 1000],
  ] as const),
  ...([
    [540, 1200],
    [1280, 213],
    [1200, 800],
    [800, 1200],
    [64, 1280],
    [1200, 540],
    [32, 32],
    [1200, 900],
  ] as const),
  ...([
    [300, 200],
    [675, 1200],
    [1280, 64],
    [1200, 800],
    [1280, 400],
    [900, 1200],
    [128, 96],
    [1200, 800],
  ] as const),
  ...([
    [1200, 800],
    [800, 800],
    [1200, 900],
    [150, 100],
    [800, 1200],
    [1280, 427],
    [1200, 675],
    [16, 16],
  ] as const),
  ...([
    [900, 1200],
    [1200, 800],
    [500, 500],
    [1280, 160],
    [400, 600],
    [1200, 900],
    [800, 1200],
    [1200, 800],
  ] as const),
]

/** An image in its tile, as it is laid out. */
interface Laid {
  name: string
  tile: Box
  image: Box
}

describe.skipIf(!inject('chromium'))('a gallery of 40 shapes', () => {
  const shapes = once(() => galleryOf(SHAPES, { name: 'Forty shapes' }))

  test.for([
    { script: true, language: 'en' },
    { script: false, language: 'ar' },
  ])(
    'has rows that reach both edges at every width (scripts: $script, language: $language)',
    async ({ script, language }, { visit }) => {
      const { gallery } = await shapes()
      const page = await visit(`${gallery.url}?lang=${language}`, { script })
      for (const width of script ? [320, 390, 600, 768, 1024, 1440, 1920] : [390, 1024]) {
        await page.setViewportSize({ width, height: 800 })
        const [frame] = await boxesOf(page, '.images')
        const laid = await laidOut(page)
        const rows = rowsOf(laid)
        expect(rows.flat()).toHaveLength(SHAPES.length)
        if (!frame) expect.fail('no images')
        for (const row of rows.slice(0, -1)) {
          const what = `${width}: ${row.map(({ name }) => name)}`
          const edges = row.flatMap(({ tile }) => [tile.x, tile.x + tile.width])
          expect(Math.abs(Math.min(...edges) - frame.x), what).toBeLessThan(1)
          expect(Math.abs(Math.max(...edges) - frame.x - frame.width), what).toBeLessThan(1)
          const heights = row.map(({ tile }) => tile.height)
          expect(Math.max(...heights) - Math.min(...heights), what).toBeLessThan(1)
        }
        if (width === 390) expectPairs(rows.slice(0, -1))
        for (const one of laid) expectWhole(one, width)
        // Of the page, without the last row, which may end early.
        const full = rows.slice(0, -1).flat()
        const end = Math.max(...full.map(({ tile }) => tile.y + tile.height))
        const covered = full.reduce((sum, one) => sum + areaOf(isIcon(sizeOf(one.name)) ? one.tile : one.image), 0)
        if (width >= 768) expect(covered / (frame.width * (end - frame.y)), `covered at ${width}`).toBeGreaterThan(0.92)
        expect(await overflowOf(page)).toBe(0)
      }
    },
  )
})

/** Expects two images a row, but for low and narrow ones. Of an odd number between those, one has a row to itself. */
function expectPairs(rows: readonly Laid[][]): void {
  let isOneAlone = false
  for (const row of rows) {
    if (!row.every(({ name }) => isUsual(sizeOf(name)))) isOneAlone = false
    else if (row.length === 2) continue
    else {
      expect([row.length, isOneAlone], `${row.map(({ name }) => name)}`).toEqual([1, false])
      isOneAlone = true
    }
  }
}

/** Expects that an image is no larger than its file, lies in its tile and is cropped by a tenth at most. */
function expectWhole({ name, tile, image }: Laid, width: number): void {
  const [w, h] = sizeOf(name)
  const what = `${name} of ${w} x ${h} at ${width}`
  // Pixels of borders, and of rounding.
  expect(image.width, what).toBeLessThan(w + 2)
  expect(image.height, what).toBeLessThan(h + 2)
  expect(image.width, what).toBeLessThan(tile.width + 1)
  expect(image.height, what).toBeLessThan(tile.height + 1)
  const shown = (image.width * h) / (image.height * w)
  const rounding = 1 - 2 / Math.min(image.width, image.height)
  const isExtreme = w / h > 3 || h / w > 2.5
  expect(Math.min(shown, 1 / shown), what).toBeGreaterThan((isExtreme ? 0.895 : 0.99) * rounding)
}

function sizeOf(name: string): readonly [number, number] {
  return SHAPES[Number(/picture-([0-9]+)/.exec(name)?.[1]) - 1] ?? expect.fail(`no shape of ${name}`)
}

function isIcon([w, h]: readonly [number, number]): boolean {
  return Math.max(w, h) < 160
}

function isUsual([w, h]: readonly [number, number]): boolean {
  return Math.max(w, h) > 400 && w / h < 2.2 && w / h > 0.55
}

function areaOf({ width, height }: Box): number {
  return width * height
}

function laidOut(page: Page): Promise<Laid[]> {
  return page.locator('.images > a').evaluateAll((links) =>
    links.map((link) => {
      const image = link.querySelector('img')
      const box = (element: Element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return { x, y, width, height }
      }
      return { name: image?.alt ?? '', tile: box(link), image: box(image ?? link) }
    }),
  )
}

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
    expect(await page.getByRole('button', { name: 'Slideshow' }).count()).toBe(0)
    const [box] = await boxesOf(page, '.images img')
    expect(box?.width).toBeLessThan(250)
  })

  test('of up to four images shows them large', async ({ visit }) => {
    const { gallery } = await galleryOf([
      [1200, 800],
      [1200, 900],
      [800, 1200],
    ])
    for (const phone of [false, true]) {
      const page = await visit(gallery.url, { phone })
      await imagesLoaded(page)
      const heights = (await boxesOf(page, '.images a')).map(({ height }) => height)
      expect(Math.min(...heights)).toBeGreaterThan(phone ? 150 : 300)
      expect(Math.max(...heights)).toBeLessThan(600)
      expect(await page.getByRole('link', { name: 'picture 1.png', exact: true }).count()).toBe(1)
      expect(await overflowOf(page)).toBe(0)
      expect(await layoutShiftsOf(page)).toEqual([])
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
        const { width, height } = one.getBoundingClientRect()
        return {
          checks: getComputedStyle(one).backgroundImage.startsWith('repeating-conic-gradient'),
          size: [Math.round(width), Math.round(height)],
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
      const files = () => asked.filter((folder) => ['thumbs', 'previews', 'images'].includes(folder)).length
      await page.goto(gallery.url, { waitUntil: 'networkidle' })
      const first = page.locator('.images img').first()
      // Browsers without scripts load no image before, because its time would reveal how far the reader scrolled.
      expect([await first.isVisible(), files()]).toEqual([false, script ? 0 : 3])
      expect(await page.locator('meta[property="og:image"]').count()).toBe(0)
      // The button that is not offered yet leaves no gap.
      const slideshow = page.locator('[data-slideshow]')
      expect(await slideshow.evaluate((button) => getComputedStyle(button).display)).toBe('none')
      await page.getByRole('checkbox').press('Space')
      expect(await first.isVisible()).toBe(true)
      await expect.poll(files).toBe(3)
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

function rowsOf(laid: readonly Laid[]): Laid[][] {
  const rows: Laid[][] = []
  for (const one of laid) {
    const row = rows.at(-1)
    if (row?.[0] && Math.abs(row[0].tile.y - one.tile.y) < 2) row.push(one)
    else rows.push([one])
  }
  return rows
}
