import { type Browser, chromium, type Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findChromium } from '../../../test/browser/support/chromium.ts'
import { corpusPictures } from '../corpus.ts'
import { listFixtures, readFixture } from '../probe/fixtures.ts'
import { psnr } from '../psnr.ts'
import { pictureOf } from './made-avif.ts'
import { thumbnailOf } from './thumbnail-of.ts'

/** Its chroma of 4:2:0 and its alpha of few levels are not ours; colours that are not converted come to 10 to 20. */
const LEAST_DB = 27

const found = await findChromium()
let browser: Browser
let page: Page

describe.skipIf('missing' in found)('a thumbnail of an AVIF is what Chromium shows', () => {
  beforeAll(async () => {
    if ('missing' in found) return
    browser = await chromium.launch({ ...found, args: ['--no-sandbox', '--force-color-profile=srgb'] })
    page = await browser.newPage()
  })
  afterAll(() => browser?.close())

  const fixtures = listFixtures('valid').filter((path) => path.endsWith('.avif'))
  test.each(fixtures)('%s', async (path) => {
    expect(await likeness(new Uint8Array(readFixture('valid', path))), 'dB').toBeGreaterThanOrEqual(LEAST_DB)
  })

  const coloured = corpusPictures('avif').filter(({ path }) => /(?:hdr|gainmap|pq)[^/]*\.avif$/.test(path))
  test.skipIf(coloured.length === 0).each(coloured.map(({ path, file }) => [path, file] as const))(
    '%s',
    async (_, file) => expect(await likeness(new Uint8Array(file)), 'dB').toBeGreaterThanOrEqual(LEAST_DB),
  )
})

/** For the page: a picture as a PNG in Base64; undefined if it cannot be shown. */
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

/** How alike they are, in dB; Infinity of what Chromium does not show. */
async function likeness(bytes: Uint8Array): Promise<number> {
  const url = `data:image/avif;base64,${Buffer.from(bytes).toString('base64')}`
  const png = await page.evaluate<string | undefined>(`(${PAINT})(${JSON.stringify(url)})`)
  if (png === undefined) return Number.POSITIVE_INFINITY
  const { width, height, rgba } = await thumbnailOf(pictureOf(bytes))
  const theirs = sharp(Buffer.from(png, 'base64')).resize(width, height, { fit: 'fill' }).ensureAlpha()
  return psnr(new Uint8Array(rgba), await theirs.raw().toBuffer())
}
