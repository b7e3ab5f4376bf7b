import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { avif, photo, webp } from '../contract/support/images.ts'
import { inParallel } from '../contract/support/in-parallel.ts'
import { file } from '../contract/support/multipart-body.ts'
import { api, galleryOf, jpegOf, once, sharedGallery, sharedImage, uploadPhoto } from './support/content.ts'
import { boxesOf, boxOf, imagesLoaded, layoutShiftsOf, overflowOf } from './support/layout.ts'
import { expectCopied, holdTimers } from './support/moments.ts'
import { test } from './support/visit.ts'

const baseUrl = inject('baseUrl')

const LANDSCAPE = [1350, 900] as const
const PORTRAIT = [600, 1100] as const
const PANORAMA = [2000, 200] as const
const TOWER = [30, 1500] as const
const STAMP = [30, 20] as const
const STRIP = [400, 4000] as const

describe.skipIf(!inject('chromium'))('the image', () => {
  const shapes = once(() =>
    inParallel([LANDSCAPE, PORTRAIT, PANORAMA, TOWER, STAMP, STRIP], 3, async ([width, height]) => {
      const { showUrl } = await uploadPhoto({ img: file('a.jpg', await jpegOf(width, height)) })
      return { showUrl, width, height }
    }),
  )
  test.for([{ phone: false }, { phone: true }])(
    'fits the window, and nothing moves (phone: $phone)',
    async ({ phone }, { visit }) => {
      const page = await visit('/', { phone })
      for (const { showUrl, width, height } of await shapes()) {
        const shape = `${width} x ${height}`
        await page.goto(showUrl)
        await imagesLoaded(page)
        const box = await boxOf(page.locator('#image'))
        const window = page.viewportSize() ?? { width: 0, height: 0 }
        expect(Math.abs(box.width - (box.height * width) / height), shape).toBeLessThan(2)
        expect(box.width, shape).toBeLessThanOrEqual(Math.min(width, window.width))
        // Strips have their own width.
        if (height > 2.5 * width) expect(box.width, shape).toBe(Math.min(width, window.width - 32))
        else expect(box.y + box.height, shape).toBeLessThanOrEqual(window.height)
        const copy = await boxOf(page.locator('.picture-actions .copy'))
        expect(copy.y + copy.height, shape).toBeLessThanOrEqual(window.height)
        expect(box.x + box.width / 2, shape).toBeCloseTo(window.width / 2, 0)
        expect(await layoutShiftsOf(page), shape).toEqual([])
        expect(await overflowOf(page), shape).toBe(0)
      }
    },
  )

  test('is folded at two windows if it is taller, and unfolded by "Show all"', async ({ visit }) => {
    const strip = (await shapes()).at(-1)
    const page = await visit(strip?.showUrl ?? '', { script: false })
    const heights = () => boxesOf(page, '#show > .image').then((boxes) => boxes.map(({ height }) => height))
    expect(await heights()).toEqual([1600])
    expect((await boxesOf(page, '.unfolding'))[0]?.y).toBeGreaterThan(1400)
    await page.getByText('Show all').click()
    expect(await heights()).toEqual([4000])
    expect(await page.getByText('Show all').isVisible()).toBe(false)
  })

  test.for([
    { what: 'WebP', name: 'a.webp', encode: webp },
    { what: 'AVIF', name: 'a.avif', encode: avif },
  ])('as $what is shown as sent', async ({ name, encode }, { visit }) => {
    const { showUrl } = await uploadPhoto({ img: file(name, await encode(photo(640, 360))) })
    const page = await visit(showUrl)
    await imagesLoaded(page)
    expect(await naturalSize(page)).toEqual([640, 360])
  })
})

describe.skipIf(!inject('chromium'))('the files of a large image', () => {
  const large = once(async () => uploadPhoto({ img: file('a.jpg', await jpegOf(3000, 2000)) }))
  test('are the preview, and the original where the window shows it larger', async ({ visit }) => {
    const { showUrl, originalUrl } = await large()
    const page = await visit('/', { ownProfile: true })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(showUrl)
    await imagesLoaded(page)
    const shown = () => page.locator('#image').evaluate((image: HTMLImageElement) => image.currentSrc)
    expect(await shown()).toContain('/previews/')
    expect(asked).not.toContain(originalUrl)
    const session = await page.context().newCDPSession(page)
    const metrics = { width: 1280, height: 800, deviceScaleFactor: 2, mobile: false }
    await session.send('Emulation.setDeviceMetricsOverride', metrics)
    await page.goto(showUrl)
    await expect.poll(shown).toBe(originalUrl)
    expect(await layoutShiftsOf(page)).toEqual([])
  })
})

describe.skipIf(!inject('chromium'))('until it has loaded', () => {
  test('a JPEG shows its thumbnail, a possibly transparent image a checkerboard', async ({ visit }) => {
    for (const { name, encode, pattern } of [
      { name: 'a.jpg', encode: () => jpegOf(900, 600), pattern: /^url\(".*\/thumbs\// },
      { name: 'a.webp', encode: () => webp(photo(640, 360)), pattern: /^repeating-conic-gradient/ },
    ]) {
      const { showUrl } = await uploadPhoto({ img: file(name, await encode()) })
      const page = await visit(showUrl)
      expect(await page.locator('#image').evaluate((image) => getComputedStyle(image).backgroundImage)).toMatch(pattern)
    }
  })

  test('an adult image and its thumbnail are requested only after the reader agrees; nothing enlarges it', async ({
    visit,
  }) => {
    const img = file('a.jpg', await jpegOf(1800, 1200))
    const { showUrl } = await uploadPhoto({ img, content_type: '1' })
    const page = await visit('/')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/')[1] ?? ''))
    await page.goto(showUrl, { waitUntil: 'networkidle' })
    expect(asked.filter((folder) => ['images', 'thumbs', 'previews'].includes(folder))).toEqual([])
    expect(await page.getByText('Marked as adult content by the uploader.').isVisible()).toBe(true)
    const fullSize = page.getByRole('button', { name: 'Full size' })
    expect(await fullSize.count()).toBe(0)
    // It leaves no gap either.
    expect(await page.locator('[data-zoom]').evaluate((button) => getComputedStyle(button).display)).toBe('none')
    await page.getByRole('checkbox', { name: 'Show picture' }).check()
    await imagesLoaded(page, '#image')
    await expect.poll(() => asked.filter((folder) => folder === 'previews').length).toBe(1)
    await fullSize.waitFor()
  })
})

describe.skipIf(!inject('chromium'))('the full size', () => {
  test('is not offered for an image that is shown in full', async ({ visit }) => {
    const { showUrl } = await uploadPhoto({ img: file('a.jpg', await jpegOf(300, 200)) })
    const page = await visit(showUrl)
    await imagesLoaded(page)
    await expect.poll(() => page.getByRole('button', { name: 'Full size' }).isVisible()).toBe(false)
  })

  test('is a link to the file, with or without scripts', async ({ visit }) => {
    const image = await sharedImage()
    // The browser's own page of a file needs styles, which the policy of files (D29) denies.
    const page = await visit(image.showUrl, { script: false, complaints: [/inline style .*\/images\//] })
    expect(await page.getByRole('button').count()).toBe(0)
    await page.getByRole('link', { name: 'Original, ' }).click()
    await page.waitForURL(image.originalUrl)
  })
})

describe.skipIf(!inject('chromium'))('the links through a gallery', () => {
  test('are followed by the arrow keys', async ({ visit }) => {
    const { images } = await sharedGallery()
    const [first, second, third] = images.map(({ showUrl }) => showUrl)
    const page = await visit(first ?? '')
    for (const [key, address] of [
      ['ArrowRight', second],
      ['ArrowRight', third],
      ['ArrowLeft', second],
      ['ArrowLeft', first],
    ] as const) {
      await page.keyboard.press(key)
      await page.waitForURL(address ?? '')
    }
    await page.keyboard.press('ArrowLeft')
    expect(page.url()).toBe(first)
  })

  test('follow the reading direction from right to left', async ({ visit }) => {
    const { images } = await sharedGallery()
    const [first, second] = images.map(({ showUrl }) => `${showUrl}?lang=ar`)
    const page = await visit(first ?? '')
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(second ?? '')
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(first ?? '')
  })

  test('are a pair of links, and one to the gallery; the keys of a code field are its own', async ({ visit }) => {
    const { gallery, images } = await sharedGallery()
    const [first, second, third] = images.map(({ showUrl }) => showUrl)
    const page = await visit(second ?? '')
    await page.getByLabel('Link', { exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    expect(page.url()).toBe(second)
    await page.getByRole('link', { name: 'Next picture' }).click()
    await page.waitForURL(third ?? '')
    await page.getByRole('link', { name: 'Previous picture' }).click()
    await page.waitForURL(second ?? '')
    await page.getByRole('link', { name: 'Previous picture' }).click()
    await page.waitForURL(first ?? '')
    expect(await page.locator('.place').innerText()).toBe('1 of 3 in Autumn')
    await page.locator('.place a').click()
    await page.waitForURL(gallery.url)
  })

  const ofAllSizes = once(() => galleryOf([PANORAMA, STAMP, PORTRAIT]))
  test.for([{ phone: false }, { phone: true }])(
    'have fixed positions on every page: two quick clicks at the end have no effect (phone: $phone)',
    async ({ phone }, { visit }) => {
      const { images } = await ofAllSizes()
      const [first, second, third] = images.map(({ showUrl }) => showUrl)
      const page = await visit(first ?? '', { phone })
      const boxes = () => boxesOf(page, '.way .button')
      const before = await boxes()
      const next = page.getByRole('link', { name: 'Next picture' })
      for (const address of [second, third, third, third]) {
        await next.click({ force: true })
        await page.waitForURL(address ?? '')
      }
      expect(await next.getAttribute('aria-disabled')).toBe('true')
      expect(await boxes()).toEqual(before)
      expect(await overflowOf(page)).toBe(0)
    },
  )
})

describe.skipIf(!inject('chromium'))('the actions', () => {
  test('cover nothing of a window that is zoomed to 400 %', async ({ visit }) => {
    const page = await visit((await sharedImage()).showUrl, { window: { width: 320, height: 256 } })
    const [actions] = await boxesOf(page, '.picture-actions')
    const [image] = await boxesOf(page, '#image')
    expect(actions?.y).toBeGreaterThanOrEqual((image?.y ?? 0) + (image?.height ?? 0))
  })

  test.for(['en', 'de', 'ru', 'hu'])('fit in two rows on a phone (%s)', async (language, { visit }) => {
    const { showUrl } = await sharedImage()
    const page = await visit(`${showUrl}?lang=${language}`, { window: { width: 320, height: 600 } })
    await imagesLoaded(page)
    const rows = await boxesOf(page, '.picture-actions > .actions')
    const boxes = await boxesOf(page, '.picture-actions > .ghosts > *')
    expect(rows).toHaveLength(2)
    expect(boxes).toHaveLength(3)
    expect(new Set(boxes.map(({ y }) => y)).size).toBe(1)
    // No word is truncated.
    const cut = await page
      .locator('.picture-actions > .actions > *')
      .evaluateAll((actions) => actions.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length)
    expect(cut).toBe(0)
    expect(await overflowOf(page)).toBe(0)
  })

  test('every code is copied by its button', async ({ visit }) => {
    const { showUrl, thumbnailUrl, originalUrl, name } = await sharedImage()
    const page = await visit(showUrl, { permissions: ['clipboard-read', 'clipboard-write'] })
    await holdTimers(page)
    for (const [what, code] of [
      ['Link', showUrl],
      ['HTML, Linked thumbnail', `<a href="${showUrl}"><img src="${thumbnailUrl}" alt="${name}"></a>`],
      ['Markdown, Linked thumbnail', `[![${name}](${thumbnailUrl})](${showUrl})`],
      ['BBCode, Linked thumbnail', `[url=${showUrl}][img]${thumbnailUrl}[/img][/url]`],
      ['HTML, Full-size picture', `<a href="${showUrl}"><img src="${originalUrl}" alt="${name}"></a>`],
      ['Markdown, Full-size picture', `[![${name}](${originalUrl})](${showUrl})`],
      ['BBCode, Full-size picture', `[url=${showUrl}][img]${originalUrl}[/img][/url]`],
    ] as const) {
      // Its name changes once it says "Copied".
      const button = await page.getByRole('button', { name: `Copy ${what}`, exact: true }).elementHandle()
      await button?.click()
      await expect.poll(() => button?.innerText()).toMatch(/^Copied/)
      await expectCopied(page, code)
    }
  })

  test('a button that says "Copied" is as wide as before, and its field too', async ({ visit }) => {
    const { showUrl } = await sharedImage()
    const page = await visit(showUrl, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.locator('[data-copy=code-html-full]').scrollIntoViewIfNeeded()
    const boxes = () => boxesOf(page, '.code > :is(input, button)')
    const before = await boxes()
    const release = await holdTimers(page)
    await page.locator('[data-copy=code-html-full]').click()
    await page.getByText('Copied', { exact: true }).waitFor()
    expect(await boxes()).toEqual(before)
    await release()
    await page.getByText('Copied', { exact: true }).waitFor({ state: 'detached' })
    expect(await boxes()).toEqual(before)
  })

  test('a browser that denies its clipboard selects the code and says so', async ({ visit }) => {
    const { showUrl } = await sharedImage()
    const page = await visit(showUrl)
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))
      document.execCommand = () => false
    })
    await holdTimers(page)
    const button = page.locator('[data-copy=code-link]')
    await button.click()
    await expect.poll(() => button.innerText()).toMatch(/^Couldn’t copy/)
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(showUrl)
  })

  test('the download is the file under its name', async ({ visit }) => {
    const bytes = await jpegOf(900, 600, 7)
    const { showUrl } = await uploadPhoto({ img: file('Hütte am See.jpg', bytes) })
    const page = await visit(showUrl)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('Hütte am See.jpg')
    expect((await readFile(await download.path())).equals(bytes)).toBe(true)
  })

  test('a link leads to its report form', async ({ visit }) => {
    const { showUrl } = await sharedImage()
    const page = await visit(showUrl)
    await page.getByRole('link', { name: 'Report illegal content' }).click()
    expect(await page.getByLabel('Link to the picture or gallery').inputValue()).toBe(showUrl)
  })
})

describe.skipIf(!inject('chromium'))('the content warning over an adult image', () => {
  const adult = once(() => uploadPhoto({ content_type: '1' }))
  test.for([
    { how: 'the mouse', script: true, keyboard: false },
    { how: 'the keyboard', script: true, keyboard: true },
    { how: 'the mouse, without scripts', script: false, keyboard: false },
    { how: 'the keyboard, without scripts', script: false, keyboard: true },
  ])('is lifted by $how, and comes back', async ({ script, keyboard }, { visit }) => {
    const { showUrl } = await adult()
    const page = await visit(showUrl, { script })
    const warning = page.getByRole('checkbox')
    expect(await page.locator('#image').isVisible()).toBe(false)
    const toggle = async () => {
      if (keyboard) await page.keyboard.press('Space')
      else await page.getByText('Show picture').click()
    }
    if (keyboard) await tabTo(page, 'input[type=checkbox]')
    await toggle()
    expect(await page.locator('#image').isVisible()).toBe(true)
    expect(await warning.isVisible()).toBe(true)
    await toggle()
    expect(await page.locator('#image').isVisible()).toBe(false)
  })

  test('keeps the image in the HTML and out of every preview', async ({ visit }) => {
    const { showUrl, originalUrl } = await adult()
    const page = await visit(showUrl)
    expect(await page.locator('#show img').getAttribute('src')).toBe(originalUrl)
    expect(await page.locator('meta[property^="og:image"], meta[name^="twitter:image"]').count()).toBe(0)
    expect(await page.locator('meta[name=rating]').getAttribute('content')).toBe('adult')
    const { text } = await api.get(`/oembed?url=${encodeURIComponent(showUrl)}`, { host: new URL(baseUrl).host })
    expect(text).not.toContain('/images/')
  })
})

function naturalSize(page: Page): Promise<number[]> {
  return page.locator('#image').evaluate((image) => {
    return image instanceof HTMLImageElement ? [image.naturalWidth, image.naturalHeight] : []
  })
}

/** Focuses an element by the keyboard. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 30; presses++) {
    await page.keyboard.press('Tab')
    if (await page.locator(selector).evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${selector} is not reached by the keyboard`)
}
