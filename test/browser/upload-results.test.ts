import jsQR from 'jsqr'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { codeOf, originalOf, previewOf } from '../../src/pages/shell/codes.ts'
import { findBarriers } from './support/axe.ts'
import { api, jpegOf } from './support/content.ts'
import { clipboardOf, expectCopied, holdTimers } from './support/moments.ts'
import { choose, galleryAddress, pickedImages, resultLinks, resultsOf, start } from './support/upload-page.ts'
import { test } from './support/visit.ts'

const CLIPBOARD = ['clipboard-read', 'clipboard-write']

describe.skipIf(!inject('chromium'))('the results', () => {
  test('are copied in each language of codes, for all and for one', async ({ visit }) => {
    const page = await visit('/', { permissions: CLIPBOARD })
    await choose(page, await pickedImages(2))
    await start(page)
    const results = await resultsOf(page)
    const images = await uploadedOn(page)
    const links = images.map(({ pageUrl }) => pageUrl)
    await results.locator('.lead', { hasText: '2 pictures' }).getByRole('button', { name: 'Copy links' }).click()
    await expectCopied(page, links.join('\n'))
    await page.evaluate(() => navigator.clipboard.writeText(''))
    await results.getByRole('button', { name: 'Copy All pictures' }).click()
    await expectCopied(page, links.join('\n'))
    for (const [label, format] of [
      ['HTML', 'html'],
      ['Markdown', 'markdown'],
      ['BBCode', 'bbcode'],
    ] as const) {
      await results.getByRole('tab', { name: label }).click()
      for (const [choice, size] of [
        ['Full-size picture', 'full'],
        ['Medium-size picture', 'preview'],
        ['Linked thumbnail', 'thumbnail'],
      ] as const) {
        await results.getByLabel(choice).check()
        const codes = images.map((image) =>
          codeOf({ ...image, preview: { url: previewOf(image.thumbnailUrl) } }, format, size),
        )
        await results.locator('#code-all + button').click()
        await expectCopied(page, codes.join('\n'))
        await results.locator('#result-list button').nth(1).click()
        await expectCopied(page, codes[1] ?? '')
      }
    }
  })

  test.for([
    { language: 'en', forwards: 'ArrowRight', backwards: 'ArrowLeft' },
    { language: 'ar', forwards: 'ArrowLeft', backwards: 'ArrowRight' },
  ])('the tabs follow the arrow keys ($language)', async ({ language, forwards, backwards }, { visit }) => {
    const page = await visit(`/?lang=${language}`)
    await choose(page, await pickedImages(1))
    await page.locator('#start').click()
    await page.locator('#results').waitFor()
    // A name in Latin letters is on the side where lines begin.
    const side = await page.locator('.lead .name').evaluate((name) => getComputedStyle(name).textAlign)
    expect(side).toBe(language === 'ar' ? 'right' : 'left')
    const selected = () => page.locator('[role=tab][aria-selected=true]').getAttribute('id')
    await page.locator('#tab-page').focus()
    for (const [key, tab] of [
      [forwards, 'tab-html'],
      [forwards, 'tab-markdown'],
      [backwards, 'tab-html'],
      ['End', 'tab-file'],
      [forwards, 'tab-page'],
      [backwards, 'tab-file'],
      ['Home', 'tab-page'],
    ] as const) {
      await page.keyboard.press(key)
      expect([await selected(), await page.evaluate(() => document.activeElement?.id)]).toEqual([tab, tab])
    }
    expect(await page.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe('tab-page')
  })

  test('enlarge no icon in their row, nor in the list of uploads', async ({ visit }) => {
    const page = await visit('/')
    const buffer = await jpegOf(16, 16)
    await choose(page, [{ name: 'icon.jpg', mimeType: 'image/jpeg', buffer }, ...(await pickedImages(1))])
    await start(page)
    await resultsOf(page)
    const fits = (selector: string) =>
      page.locator(selector).evaluateAll((images) => images.map((image) => getComputedStyle(image).objectFit))
    await expect.poll(() => fits('#result-list img')).toEqual(['none', 'cover'])
    await page.goto('/uploads')
    await expect.poll(async () => (await fits('#upload-list img')).toSorted()).toEqual(['cover', 'none'])
  })

  test('show which tab is chosen if the reader sets all colours', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await pickedImages(1))
    await start(page)
    await resultsOf(page)
    await page.emulateMedia({ forcedColors: 'active' })
    const edges = await page
      .locator('[role=tab]')
      .evaluateAll((tabs) => tabs.map((tab) => getComputedStyle(tab).borderBlockEndColor))
    const [chosen, ...others] = edges
    expect(new Set(others)).toEqual(new Set([others[0]]))
    expect(chosen).not.toBe(others[0])
    await page.emulateMedia({ forcedColors: null })
  })

  test('begin, for one image, with its preview and its link; then its codes, whose last choice is remembered', async ({
    visit,
  }) => {
    const page = await visit('/', { permissions: CLIPBOARD })
    await choose(page, await pickedImages(1))
    await start(page)
    const results = await resultsOf(page)
    const [link] = await resultLinks(page)
    await results.getByRole('button', { name: 'Copy link' }).click()
    await expectCopied(page, link ?? '')
    expect(await results.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe(link)
    expect(await results.locator('.result .thumb').isVisible()).toBe(false)
    await results.getByRole('tab', { name: 'File' }).click()
    const [file] = await resultLinks(page)
    expect(file).toMatch(/\/images\/\d+\/\d+_1\.jpg$/)
    expect((await api.follow(file ?? '', { host: new URL(file ?? '').host })).status).toBe(200)
    await page.reload()
    await choose(page, await pickedImages(1))
    await start(page)
    await resultsOf(page)
    expect(await page.locator('[role=tab][aria-selected=true]').getAttribute('id')).toBe('tab-file')
    expect((await resultLinks(page))[0]).toContain('/images/')
  })

  test('have private links by default, remember them on this device, and forget them at a click', async ({ visit }) => {
    const page = await visit('/', { permissions: CLIPBOARD })
    const warnings = dialogsOf(page)
    await choose(page, await pickedImages(2))
    await start(page)
    await resultsOf(page)
    const links = await resultLinks(page)
    expect(await storedOn(page)).toEqual(links.map((link) => `upload ${link}`).toSorted())
    await page.locator('#private summary').click()
    await page.locator('#code-private-all + button').click()
    const tokens = async () => (await clipboardOf(page)).match(/\/manage\/[A-Za-z0-9_-]{43}/g) ?? []
    await expect.poll(async () => new Set(await tokens()).size).toBe(2)
    expect(await page.evaluate(() => [location.href, history.state, document.cookie].join())).not.toContain('manage')
    await page.getByRole('button', { name: 'Don’t save' }).click()
    expect(await storedOn(page)).toEqual([])
    expect(await page.locator('#remembered-words').innerText()).toContain('Save these links now')
    // The choice is remembered: the next upload is not, and leaving without its private link shows a warning.
    await page.getByRole('button', { name: 'Upload more' }).click()
    await choose(page, (await pickedImages(3)).slice(2))
    await start(page)
    await expect.poll(() => resultLinks(page)).toHaveLength(3)
    expect(await storedOn(page)).toEqual([])
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => warnings).toEqual(['beforeunload'])
    await page.locator('#code-private-all + button').click()
    await page.reload()
    expect(warnings).toHaveLength(1)
    expect(await page.locator('#code-private-all').inputValue()).toBe('')
  })

  test('of a gallery have one private link for all, and the gallery is remembered', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await pickedImages(2))
    await page.getByLabel('Put all in one gallery').check()
    await start(page)
    await resultsOf(page)
    expect(await storedOn(page)).toEqual([`upload ${await galleryAddress(page)}`])
    // By its first image, whichever arrived last.
    const [stored = ''] = await storedOn(page)
    expect(await page.evaluate((key) => localStorage.getItem(key), stored)).toMatch(/"thumbnailUrl":"[^"]*_1\.jpg"/)
    await page.goto(await page.locator('#code-private').inputValue())
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Manage your gallery')
    expect(await page.getByText('2 pictures').isVisible()).toBe(true)
  })

  test('are shared with apps of the device with their title, if these accept it; if they fail, it is copied', async ({
    visit,
  }) => {
    const page = await visit('/', { permissions: CLIPBOARD, ownProfile: true })
    const share = page.getByRole('button', { name: 'Share…' })
    await choose(page, await pickedImages(1))
    await start(page)
    await resultsOf(page)
    expect(await share.count(), 'without a list of apps').toBe(0)
    await page.addInitScript(haveApps)
    await page.evaluate(haveApps)
    await page.getByRole('button', { name: 'Upload more' }).click()
    await choose(page, (await pickedImages(3)).slice(1))
    await page.getByLabel('Put all in one gallery').check()
    await page.getByLabel('Name of the gallery').fill('Sea & Co')
    await start(page)
    await page.locator('.lead', { hasText: 'Sea & Co' }).waitFor()
    const url = await galleryAddress(page)
    const shared = JSON.stringify({ title: 'Sea & Co', url })
    for (const outcome of ['AbortError', '']) {
      expect(await sharedOn(page, share, outcome)).toBe(shared)
      expect(await page.getByText('Copied', { exact: true }).count(), outcome).toBe(0)
    }
    // On the page of the gallery, too.
    await page.goto(url)
    await holdTimers(page)
    expect(await sharedOn(page, share, 'NotAllowedError')).toBe(shared)
    await page.getByText('Copied', { exact: true }).waitFor()
    await expectCopied(page, url)
    await page.addInitScript(() => Object.assign(navigator, { canShare: () => false }))
    await page.reload()
    expect(await share.count(), 'with apps that take no addresses').toBe(0)
  })

  test('have a QR code of the address, which another program reads', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await pickedImages(1))
    await start(page)
    await resultsOf(page)
    await page.getByRole('button', { name: 'QR code' }).click()
    await page.locator('#qr-code[open]').waitFor()
    expect(await findBarriers(page)).toEqual([])
    // One pixel of each module is enough, and quick to transfer.
    const modules = await page.locator('#qr-code canvas').evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no canvas')
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      const count = canvas.width / 8
      return Array.from({ length: count }, (_, row) =>
        Array.from({ length: count }, (_, column) => (pixels[(row * canvas.width + column) * 8 * 4] ? '1' : '0')).join(
          '',
        ),
      )
    })
    const size = modules.length * 3
    const drawn = Array.from(
      { length: size * size },
      (_, at) => modules[Math.floor(at / size / 3)]?.[Math.floor((at % size) / 3)],
    )
    const data = Uint8ClampedArray.from(
      drawn.flatMap((module) => (module === '1' ? [255, 255, 255, 255] : [0, 0, 0, 255])),
    )
    expect(jsQR(data, size, size)?.data).toBe((await resultLinks(page))[0])
    await page.keyboard.press('Escape')
    await page.locator('#qr-code').waitFor({ state: 'hidden' })
  })

  test('stay when more is uploaded, which appears below', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await pickedImages(1))
    await start(page)
    await resultsOf(page)
    await page.getByRole('button', { name: 'Upload more' }).click()
    expect(await resultLinks(page)).toHaveLength(1)
    await choose(page, (await pickedImages(2)).slice(1))
    await start(page)
    await expect.poll(() => resultLinks(page)).toHaveLength(2)
    expect((await resultLinks(page)).map((link) => link.replace(/.*_/, ''))).toEqual(['1.jpg', '2.jpg'])
  })

  test('are reachable by keyboard alone, from the first tab stop to the copied code', async ({ visit }) => {
    const page = await visit('/', { permissions: CLIPBOARD })
    const opened = page.waitForEvent('filechooser')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Skip to content')
    await page.keyboard.press('Enter')
    const pick = await tabTo(page, (element) => element.id === 'img')
    expect(pick).toBeLessThanOrEqual(2)
    await page.keyboard.press('Enter')
    const chooser = await opened
    await chooser.setFiles(await pickedImages(3))
    await page.locator('#upload[aria-busy=false]').waitFor()
    await tabTo(page, (element) => element.getAttribute('aria-label') === 'Remove 3.jpg')
    await page.keyboard.press('Enter')
    await tabTo(page, (element) => element.id === 'one-gallery')
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await page.keyboard.type('By keyboard')
    await tabTo(page, (element) => element.id === 'start')
    await page.keyboard.press('Enter')
    await resultsOf(page)
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('results-heading')
    await tabTo(page, (element) => element.id === 'tab-page')
    await page.keyboard.press('ArrowRight')
    await tabTo(page, (element) => element instanceof HTMLElement && element.dataset.copy === 'code-all')
    await page.keyboard.press('Enter')
    const images = await uploadedOn(page)
    await expectCopied(page, images.map((image) => codeOf(image, 'html', 'thumbnail')).join('\n'))
    expect(images).toHaveLength(2)
  })
})

/** Returns the dialogs that the browser shows on leaving from now on. Each is dismissed. */
function dialogsOf(page: Page): string[] {
  const types: string[] = []
  page.on('dialog', (dialog) => {
    types.push(dialog.type())
    void dialog.dismiss()
  })
  return types
}

/** Returns the uploads that the browser remembers. */
function storedOn(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Object.keys(localStorage)
      .filter((key) => key.startsWith('upload '))
      .sort(),
  )
}

/**
 * Runs in the page: adds a share sheet to the device. It records what is shared, and then fails with the error of this
 * name, if any.
 */
function haveApps(): void {
  Object.assign(navigator, {
    canShare: ({ url }: ShareData) => url !== undefined,
    share: async (shared: ShareData) => {
      const { dataset } = document.body
      dataset.shared = JSON.stringify(shared)
      if (dataset.outcome) throw new DOMException('', dataset.outcome)
    },
  })
}

/** Shares by a button. Returns what the apps receive. */
async function sharedOn(page: Page, button: Locator, outcome: string): Promise<string | undefined> {
  await page.evaluate((name) => {
    delete document.body.dataset.shared
    document.body.dataset.outcome = name
  }, outcome)
  await button.first().click()
  return page.evaluate(() => document.body.dataset.shared)
}

/** Returns the content of the list of results. */
async function uploadedOn(page: Page) {
  const shown = await page.locator('.result').evaluateAll((rows) =>
    rows.map((row) => ({
      pageUrl: row.querySelector('a')?.href ?? '',
      thumbnailUrl: row.querySelector('img')?.src ?? '',
      name: row.querySelector('.name')?.textContent?.trim() ?? '',
    })),
  )
  return shown.map((image) => ({ ...image, originalUrl: originalOf(image.thumbnailUrl) }))
}

/** Presses Tab until the focus is on the wanted element. Returns how often. */
async function tabTo(page: Page, isThere: (element: Element) => boolean): Promise<number> {
  for (let presses = 1; presses <= 40; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`(${isThere})(document.activeElement)`)) return presses
  }
  throw new Error(`the keyboard does not reach ${isThere}`)
}
