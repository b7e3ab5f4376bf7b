import sharp from 'sharp'
import { describe, expect, inject } from 'vitest'
import { galleryOf, once, sharedGallery, uploadPhoto } from './support/content.ts'
import { follow } from './support/layout.ts'
import { withoutFunctions, withoutHas } from './support/older-browser.ts'
import { BROKEN, cardOf, choose, type PickedFile, pickedImages, resultsOf, start, TEXT } from './support/upload-page.ts'
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
      await withoutHas(page)
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

describe.skipIf(!inject('chromium'))('in a browser without the functions of the last years', () => {
  test('files are judged, sent and remembered', async ({ visit }) => {
    const page = await visit('/', { ownProfile: true })
    await withoutFunctions(page)
    await page.reload()
    await choose(page, [TEXT, BROKEN, await pngWithLocation(), ...(await pickedImages(1))])
    expect(await page.locator('#unfit-groups .reason').count()).toBe(2)
    expect(await cardOf(page, 'map.png').locator('.place').innerText()).toBe('Location removed')
    await page.getByRole('button', { name: /^Remove 1\.jpg/ }).click()
    await start(page)
    await resultsOf(page)
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('results-heading')
    await page.goto('/uploads')
    expect(await page.locator('#upload-list .name').allInnerTexts()).toEqual(['map.png'])
  })

  test('a gallery and its images open without window.navigation, with motion', async ({ visit }) => {
    const { gallery } = await sharedGallery()
    const page = await visit('/', { ownProfile: true, reducedMotion: false })
    await withoutFunctions(page)
    await page.goto(gallery.url)
    const link = page.locator('.images a').first()
    // A click opens the viewer; a transition is between pages.
    await follow(page, () => link.evaluate((a: HTMLAnchorElement) => location.assign(a.href)))
    await page.goBack()
    expect(await page.locator('.images img[style]').count()).toBe(0)
  })

  test('a PNG with compressed text may have a location if it cannot be inflated', async ({ visit }) => {
    const page = await visit('/', { ownProfile: true })
    await withoutFunctions(page, [['window', 'DecompressionStream']])
    await page.reload()
    await choose(page, [await pngWithLocation(), ...(await pickedImages(1))])
    expect(await cardOf(page, 'map.png').locator('.place').innerText()).toBe('Location removed')
    expect(await cardOf(page, '1.jpg').locator('.place').isVisible()).toBe(false)
  })
})

/** Returns a PNG with GPS data in XMP, which sharp compresses. */
async function pngWithLocation(): Promise<PickedFile> {
  const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
    <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="52,30N"/></rdf:RDF></x:xmpmeta>`
  const image = sharp({ create: { width: 300, height: 200, channels: 3, background: 'green' } })
  return { name: 'map.png', mimeType: 'image/png', buffer: await image.png().withXmp(xmp).toBuffer() }
}
