import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { findBarriers } from './support/axe.ts'
import { openConnection } from './support/connection.ts'
import { sharedGallery } from './support/content.ts'
import { boxesOf, boxOf, follow, layoutShiftsOf, overflowOf } from './support/layout.ts'
import { expectCopied } from './support/moments.ts'
import { test } from './support/visit.ts'

const DARK_PAPER = 'rgb(22, 20, 18)'

describe.skipIf(!inject('chromium'))('the header', () => {
  test('has Upload on every page except the front page, and the same links everywhere', async ({ visit }) => {
    const page = await visit('/uploads', { window: { width: 320, height: 700 } })
    const ways = page.locator('header nav.ways-about a')
    expect(await ways.allInnerTexts()).toEqual(['Upload', 'Your uploads', 'Tools', 'API'])
    expect(await overflowOf(page)).toBe(0)
    await follow(page, () => ways.first().click())
    expect(await ways.allInnerTexts()).toEqual(['Your uploads', 'Tools', 'API'])
  })

  test.for(['en', 'de', 'ru', 'hu', 'el', 'ja', 'ar'])(
    'takes at most two lines of a narrow window (%s)',
    async (language, { visit }) => {
      const page = await visit(`/uploads?lang=${language}`, { window: { width: 320, height: 700 } })
      const rows = await boxesOf(page, 'header :is(.brand, .ways-about a)')
      const menu = await boxOf(page.locator('.menu'))
      expect((await boxOf(page.locator('header.site'))).height).toBeLessThan(100)
      for (const { x, y, width } of rows) {
        if (y < menu.y + menu.height) expect(x < menu.x ? x + width <= menu.x : x >= menu.x + menu.width).toBe(true)
      }
    },
  )

  test('moves nothing when it arrives in chunks: a menu without its summary is not shown yet', async ({ visit }) => {
    const page = await visit('/', { script: false, phone: true })
    const menu = page.locator('.menu')
    expect(await menu.isVisible()).toBe(true)
    await menu.locator('summary').evaluate((summary) => summary.remove())
    expect(await menu.isVisible()).toBe(false)
  })

  test('keeps a theme on this device, from the first frame on, and out of the address', async ({ visit }) => {
    const page = await visit('/docs', { phone: true })
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    await page.locator('.menu summary').click()
    expect(await findBarriers(page)).toEqual([])
    expect(await overflowOf(page)).toBe(0)
    await page.getByRole('link', { name: 'Dark' }).click()
    expect(await paper()).toBe(DARK_PAPER)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('link', { name: 'Dark' }).isVisible()).toBe(false)
    await page.goto('/uploads?lang=de')
    expect(await paper()).toBe(DARK_PAPER)
    expect(await layoutShiftsOf(page)).toEqual([])
    await page.goto('/uploads?theme=auto')
    expect([new URL(page.url()).search, await paper()]).not.toContain(DARK_PAPER)
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ''])
  })

  test('without a script, links choose the theme and keep it with the language', async ({ visit }) => {
    const page = await visit('/uploads?lang=fr', { script: false })
    await page.locator('.menu summary').click()
    await follow(page, () => page.locator('[data-choose-theme=dark]').click())
    expect(new URL(page.url()).search).toBe('?lang=fr&theme=dark')
    await follow(page, () => page.locator('a.brand').click())
    expect(new URL(page.url()).search).toBe('?lang=fr&theme=dark')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  })
})

describe.skipIf(!inject('chromium'))('on a phone with twice the font size', () => {
  test('nothing is wider than the window, and no button breaks a word', async ({ visit }) => {
    const { images } = await sharedGallery()
    for (const address of ['/', images[1]?.showUrl ?? '', '/docs/errors', '/tools']) {
      const page = await visit(address, { window: { width: 195, height: 422 } })
      expect(await overflowOf(page), address).toBe(0)
      expect(await brokenWordsOf(page), address).toEqual([])
    }
  })
})

describe.skipIf(!inject('chromium'))('a page that arrives in chunks', () => {
  test('is painted once its content is complete, so that no row of buttons moves', async ({ visit }) => {
    const connection = await openConnection(inject('baseUrl'))
    try {
      const page = await visit(`${connection.baseUrl}/docs`)
      connection.holdPagesAt('<div class="pick small')
      await page.goto(connection.baseUrl, { waitUntil: 'commit' })
      await page.locator('#choose').waitFor({ state: 'attached' })
      await page.waitForFunction(() => document.styleSheets.length > 0)
      const paints = () => page.evaluate(() => performance.getEntriesByType('paint').length)
      await page.waitForTimeout(300)
      expect(await paints()).toBe(0)
      connection.release()
      await expect.poll(paints).toBeGreaterThan(0)
      expect(await layoutShiftsOf(page)).toEqual([])
    } finally {
      await connection.close()
    }
  })
})

describe.skipIf(!inject('chromium'))('between pages', () => {
  test('the thumbnail of a gallery grows into its image and back, unless the reader prefers less motion', async ({
    visit,
  }) => {
    const { gallery, images: uploaded } = await sharedGallery()
    for (const reducedMotion of [false, true]) {
      const page = await visit(gallery.url, { reducedMotion })
      /**
       * Opens the address. Returns whether the browser makes a view transition of it, and the index of the image in it.
       */
      const go = async (address: string, selector: string) => {
        await page.evaluate((images) => {
          addEventListener('pageswap', ({ viewTransition }) => {
            const named = [...document.querySelectorAll(images)].map(
              (image) => getComputedStyle(image).viewTransitionName,
            )
            sessionStorage.setItem('swap', JSON.stringify([viewTransition !== null, named.indexOf('picture')]))
          })
        }, selector)
        // A click on a thumbnail opens the viewer, which is no other page.
        const link = page.locator(`a[href="${address}"]`).first()
        await link.evaluate((a: HTMLAnchorElement) => location.assign(a.href))
        await page.waitForURL(address)
        return JSON.parse((await page.evaluate(() => sessionStorage.getItem('swap'))) ?? '')
      }
      const moves = !reducedMotion
      expect(await go(uploaded[1]?.showUrl ?? '', '.images img')).toEqual([moves, moves ? 1 : -1])
      expect(await go(gallery.url, '#image')).toEqual([moves, moves ? 0 : -1])
    }
  })
})

describe.skipIf(!inject('chromium'))('the quick start', () => {
  test('shows one programming language, chosen once for all steps (scripts: none), and copies a step, as do the tools and the front page', async ({
    visit,
  }) => {
    const shownOf = (page: Page) =>
      page
        .locator('[data-code]')
        .evaluateAll((all) => [
          ...new Set(all.flatMap((one) => (one.checkVisibility() ? (one.getAttribute('data-code') ?? '') : []))),
        ])
    const still = await visit('/docs', { script: false })
    const [first] = await shownOf(still)
    await still.locator('.code-choice label', { hasText: 'Python' }).click()
    expect([first, await shownOf(still)]).toEqual(['curl', ['python']])
    const page = await visit('/docs', { permissions: ['clipboard-read', 'clipboard-write'] })
    for (const path of ['/docs', '/tools', '/']) {
      await page.goto(path)
      const block = page.locator('.code-block:visible').last()
      await block.getByRole('button').click()
      const code = await block.locator('pre').textContent()
      await expectCopied(page, code ?? '')
      // No line is cut.
      const hidden = await block.locator('pre').evaluate((pre) => pre.scrollWidth - pre.clientWidth)
      expect(hidden, path).toBe(0)
    }
  })
})

describe.skipIf(!inject('chromium'))('in a window of 320 pixels', () => {
  test('no button breaks its words if they are written without spaces', async ({ visit }) => {
    const { gallery, images } = await sharedGallery()
    const page = await visit('/', { window: { width: 320, height: 640 } })
    const home = page.url()
    for (const language of ['ja', 'zh', 'zh-Hant', 'ko']) {
      for (const address of [images[1]?.showUrl ?? '', gallery.url, gallery.manageUrl, home, `${home}uploads`]) {
        await page.goto(`${address}?lang=${language}`)
        // As for an image that is larger than shown.
        await page.evaluate(() => document.querySelector('[data-zoom]')?.removeAttribute('hidden'))
        expect(await overflowOf(page), `${address} in ${language}`).toBe(0)
        expect(await brokenWordsOf(page), `${address} in ${language}`).toEqual([])
      }
    }
  })
})

/** Returns the words of buttons that are broken across lines. */
function brokenWordsOf(page: Page): Promise<string[]> {
  return page.locator('button, .button').evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT)
      const broken: string[] = []
      while (walker.nextNode()) {
        const text = walker.currentNode
        // Words for screen readers take no space.
        if ((text.parentElement?.offsetWidth ?? 0) <= 1) continue
        for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(/\S+/g)) {
          const range = document.createRange()
          range.setStart(text, index)
          range.setEnd(text, index + word.length)
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
        }
      }
      return broken
    }),
  )
}
