import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { codeOf, originalOf } from '../../src/pages/codes.ts'
import { choose, pickedPictures, resultLinks, resultsOf, start } from './support/upload-page.ts'
import { test } from './support/visit.ts'

const CLIPBOARD = ['clipboard-read', 'clipboard-write']

describe.skipIf(!inject('chromium'))('what there is to share', () => {
  test('is copied in each language of codes, for all and for one', async ({ visit }) => {
    const page = await visit('/', { permissions: CLIPBOARD })
    await choose(page, await pickedPictures(2))
    await start(page)
    const results = await resultsOf(page)
    const pictures = await uploadedOn(page)
    const links = pictures.map(({ pageUrl }) => pageUrl)
    await results.getByRole('button', { name: 'Copy All pictures' }).click()
    expect(await clipboard(page)).toBe(links.join('\n'))
    for (const [label, format] of [
      ['HTML', 'html'],
      ['Markdown', 'markdown'],
      ['BBCode', 'bbcode'],
    ] as const) {
      await results.getByRole('tab', { name: label }).click()
      for (const [choice, size] of [
        ['Full picture', 'full'],
        ['Thumbnail with a link', 'thumbnail'],
      ] as const) {
        await results.getByLabel(choice).check()
        const codes = pictures.map((picture) => codeOf(picture, format, size))
        await results.locator('#code-all + button').click()
        expect(await clipboard(page)).toBe(codes.join('\n'))
        await results.locator('#result-list button').nth(1).click()
        expect(await clipboard(page)).toBe(codes[1])
      }
    }
  })

  test.for([
    { language: 'en', forwards: 'ArrowRight', backwards: 'ArrowLeft' },
    { language: 'ar', forwards: 'ArrowLeft', backwards: 'ArrowRight' },
  ])('the tabs go with the arrow keys ($language)', async ({ language, forwards, backwards }, { visit }) => {
    const page = await visit(`/?lang=${language}`)
    await choose(page, await pickedPictures(1))
    await page.locator('#start').click()
    await page.locator('#results').waitFor()
    const selected = () => page.locator('[role=tab][aria-selected=true]').getAttribute('id')
    await page.locator('#tab-link').focus()
    for (const [key, tab] of [
      [forwards, 'tab-html'],
      [forwards, 'tab-markdown'],
      [backwards, 'tab-html'],
      ['End', 'tab-bbcode'],
      [forwards, 'tab-link'],
      [backwards, 'tab-bbcode'],
      ['Home', 'tab-link'],
    ] as const) {
      await page.keyboard.press(key)
      expect([await selected(), await page.evaluate(() => document.activeElement?.id)]).toEqual([tab, tab])
    }
    expect(await page.getByRole('tabpanel').getAttribute('aria-labelledby')).toBe('tab-link')
  })

  test('has private links that are shown this once and kept nowhere', async ({ visit }) => {
    const page = await visit('/', { permissions: CLIPBOARD })
    await page.locator('#img').waitFor({ state: 'attached' })
    await choose(page, await pickedPictures(2))
    await page.getByLabel('Private links to delete them later').check()
    await start(page)
    const section = (await resultsOf(page)).getByRole('region', { name: 'Private links' })
    expect(await section.innerText()).toContain('Save these links now: they are never shown again.')
    await section.getByRole('button').first().click()
    const copied = await clipboard(page)
    const tokens = copied.match(/\/manage\/[A-Za-z0-9_-]{43}/g) ?? []
    expect(new Set(tokens).size).toBe(2)
    const kept = await page.evaluate(() =>
      JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie]),
    )
    expect(kept).not.toMatch(/manage|[A-Za-z0-9_-]{43}/)
    await page.reload()
    expect(await page.getByRole('region', { name: 'Private links' }).count()).toBe(0)
    expect(await page.locator('#code-private-all').inputValue()).toBe('')
  })

  test('of a gallery has one private link, which leads to all', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await pickedPictures(2))
    await page.getByLabel('One gallery for all').check()
    await page.getByLabel('Private links to delete them later').check()
    await start(page)
    await resultsOf(page)
    const address = await page.locator('#code-private').inputValue()
    expect(address).toMatch(/\/manage\/[A-Za-z0-9_-]{43}$/)
    await page.goto(address)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Manage your gallery')
    expect(await page.getByText('2 pictures').isVisible()).toBe(true)
  })

  test('gives way to the next upload, and forgets', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await pickedPictures(1))
    await page.getByLabel('Private links to delete them later').check()
    await start(page)
    await resultsOf(page)
    await page.getByRole('button', { name: 'Upload more' }).click()
    expect(await page.getByRole('region', { name: 'Ready to share' }).count()).toBe(0)
    expect(await page.locator('#code-private').inputValue()).toBe('')
    const [, second] = await pickedPictures(2)
    await choose(page, second ? [second] : [])
    await start(page)
    await resultsOf(page)
    expect((await resultLinks(page)).map((link) => link.replace(/.*_/, ''))).toEqual(['2.jpg'])
  })

  test('is reached by keyboard alone, from the first tab stop to the copied code', async ({ visit }) => {
    const page = await visit('/', { permissions: CLIPBOARD })
    const opened = page.waitForEvent('filechooser')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    const pick = await tabTo(page, (element) => element.id === 'img')
    expect(pick).toBeLessThanOrEqual(2)
    await page.keyboard.press('Enter')
    const chooser = await opened
    await chooser.setFiles(await pickedPictures(3))
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
    await tabTo(page, (element) => element.id === 'tab-link')
    await page.keyboard.press('ArrowRight')
    await tabTo(page, (element) => element instanceof HTMLElement && element.dataset.copy === 'code-all')
    await page.keyboard.press('Enter')
    const pictures = await uploadedOn(page)
    await expect
      .poll(() => clipboard(page))
      .toBe(pictures.map((picture) => codeOf(picture, 'html', 'thumbnail')).join('\n'))
    expect(pictures).toHaveLength(2)
  })
})

function clipboard(page: Page): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText())
}

/** What the list of results shows. */
async function uploadedOn(page: Page) {
  const shown = await page.locator('.result').evaluateAll((rows) =>
    rows.map((row) => ({
      pageUrl: row.querySelector('a')?.href ?? '',
      thumbnailUrl: row.querySelector('img')?.src ?? '',
      name: row.querySelector('.name')?.textContent?.trim() ?? '',
    })),
  )
  return shown.map((picture) => ({ ...picture, originalUrl: originalOf(picture.thumbnailUrl) }))
}

/** Presses Tab until the focus is where it should be; gives how often. */
async function tabTo(page: Page, isThere: (element: Element) => boolean): Promise<number> {
  for (let presses = 1; presses <= 40; presses++) {
    await page.keyboard.press('Tab')
    if (await page.evaluate(`(${isThere})(document.activeElement)`)) return presses
  }
  throw new Error(`the keyboard does not reach ${isThere}`)
}
