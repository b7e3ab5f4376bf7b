import { describe, expect, inject } from 'vitest'
import { sharedGallery, sharedImage } from './support/content.ts'
import { boxOf } from './support/layout.ts'
import { test } from './support/visit.ts'

describe.skipIf(!inject('chromium'))('the appearance', () => {
  test('is dark if the reader prefers so, also after a change', async ({ visit }) => {
    const page = await visit('/')
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await background()
    await page.emulateMedia({ colorScheme: 'dark' })
    const dark = await background()
    expect([brightness(light) > 200, brightness(dark) < 60]).toEqual([true, true])
  })

  test.for(['/', '/report'])('of %s is static for readers who prefer less motion', async (path, { visit }) => {
    const page = await visit(path, { reducedMotion: true })
    const moving = await page.locator('*').evaluateAll((elements) =>
      elements
        .map((element) => getComputedStyle(element))
        .filter(({ transitionDuration, animationName, scrollBehavior }) => {
          return /[1-9]/.test(transitionDuration) || animationName !== 'none' || scrollBehavior === 'smooth'
        })
        .map(({ transitionDuration, animationName }) => `${transitionDuration} ${animationName}`),
    )
    expect(moving).toEqual([])
  })

  test('on paper is the image with its facts', async ({ visit }) => {
    const { showUrl } = await sharedImage()
    const page = await visit(showUrl, { dark: true })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.locator('#image').isVisible()).toBe(true)
    expect(await page.getByText('900 × 600').isVisible()).toBe(true)
    for (const hidden of [
      'header.site',
      'footer.site',
      '.picture-actions',
      '[aria-labelledby=codes]',
      'input',
      'button',
    ]) {
      expect(await page.locator(`${hidden}:visible`).count(), hidden).toBe(0)
    }
    const ink = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(brightness(ink)).toBeGreaterThan(200)
  })

  test('of a gallery on paper is its images', async ({ visit }) => {
    const { gallery, images } = await sharedGallery()
    const page = await visit(gallery.url)
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.images img').first().isVisible()).toBe(true)
    expect(await page.locator(':is(footer.site, input, textarea, button):visible').count()).toBe(0)
    await page.goto(images[1]?.showUrl ?? '')
    const box = await boxOf(page.locator('.place'))
    expect(box.x + box.width / 2).toBeCloseTo((page.viewportSize()?.width ?? 0) / 2, 0)
  })
})

function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[0-9.]+/g) ?? []).map(Number)
  return (red + green + blue) / 3
}
