import { describe, expect, inject } from 'vitest'
import { plain, png } from '../contract/support/images.ts'
import { file } from '../contract/support/multipart-body.ts'
import { createGallery } from '../contract/support/steps.ts'
import { api, galleryOf, jpegOf, linksOf, uploadPhoto } from './support/content.ts'
import { boxesOf, imagesLoaded, layoutShiftsOf, overflowOf } from './support/layout.ts'
import { expectCopied } from './support/moments.ts'
import { test } from './support/visit.ts'

const THREE_SHAPES = [
  [400, 267],
  [267, 400],
  [400, 100],
] as const

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
      const { gallery } = await galleryOf(THREE_SHAPES, { fields: { content_type: '1' } })
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
