import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { findChromium } from '../../test/browser/support/chromium.ts'

const found = await findChromium()

/** Whether there is no Chromium to ask. */
export const isWithoutChromium = 'missing' in found

/** For the page: an image as a PNG in Base64; undefined if it cannot be shown. */
const PAINT = `async (url) => {
  const image = new Image()
  image.src = url
  if (!(await image.decode().then(() => true, () => false))) return undefined
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d').drawImage(image, 0, 0)
  return canvas.toDataURL('image/png').split(',')[1]
}`

/**
 * Starts Chromium for the tests of a file or of a `describe`. Returns a function that draws a file on an sRGB screen, as a PNG, or
 * undefined if Chromium does not show it.
 */
export function useChromium(): (file: Uint8Array, mediaType: string) => Promise<Buffer | undefined> {
  let browser: Browser
  let page: Page
  beforeAll(async () => {
    if ('missing' in found) return
    browser = await chromium.launch({ ...found, args: ['--no-sandbox', '--force-color-profile=srgb'] })
    page = await browser.newPage()
  })
  afterAll(() => browser?.close())
  return async (file, mediaType) => {
    const url = `data:${mediaType};base64,${Buffer.from(file).toString('base64')}`
    const png = await page.evaluate<string | undefined>(`(${PAINT})(${JSON.stringify(url)})`)
    return png === undefined ? undefined : Buffer.from(png, 'base64')
  }
}
