import { describe, expect, inject } from 'vitest'
import { galleryOf, once, uploadPhoto } from './support/content.ts'
import { withoutStyle } from './support/older-browser.ts'
import { test } from './support/visit.ts'

const adultImage = once(() => uploadPhoto({ content_type: '1' }))
const adultGallery = once(() => galleryOf([[300, 200]], { fields: { content_type: '1' } }))

describe.skipIf(!inject('chromium'))('in a browser without :has()', () => {
  test.for([true, false])(
    'adult images are hidden until the reader agrees (scripts: %s)',
    async (script, { visit }) => {
      const { showUrl } = await adultImage()
      const { gallery } = await adultGallery()
      const page = await visit('/', { script })
      await withoutStyle(page, ':has()')
      for (const address of [showUrl, gallery.url]) {
        await page.goto(address)
        const image = page.locator('#show img, .images img').first()
        const enlarges = page.locator('[data-zoom], [data-slideshow]').filter({ visible: true })
        const consent = page.getByRole('checkbox')
        expect(await image.isVisible(), address).toBe(false)
        expect(await enlarges.count(), address).toBe(0)
        await consent.press('Space')
        expect(await image.isVisible(), address).toBe(true)
        await consent.press('Space')
        expect(await image.isVisible(), address).toBe(false)
        expect(await enlarges.count(), address).toBe(0)
      }
    },
  )
})
