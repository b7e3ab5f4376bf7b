import type { Page } from 'playwright-core'
import { file } from '../../contract/support/multipart-body.ts'
import { galleryOf, jpegOf, once, uploadPhoto } from './content.ts'
import { BROKEN, bmp, brokenInside, choose, type PickedFile, pickedImages, TEXT } from './upload-page.ts'
import type { Visit, Visitor } from './visit.ts'

/** A page in one of its states. */
export interface State {
  name: string
  /** Opens the state for a new visitor, in this language. */
  open: (visit: Visit, language: string, visitor: Visitor) => Promise<Page>
}

const SIZES = [
  [300, 200],
  [200, 300],
  [400, 100],
  [250, 250],
  [350, 233],
] as const
/** More files than a window shows, and small for quick uploads. */
const MANY = Array.from({ length: 30 }, (_, index) => (index % 2 ? ([90, 60] as const) : ([60, 80] as const)))

const landscape = once(async () =>
  uploadPhoto({ img: file('Harbour at dawn.jpg', await jpegOf(1350, 900, 3)), max_th_size: '500' }),
)
const adult = once(async () => uploadPhoto({ img: file('red.jpg', await jpegOf(750, 1000, 4)), content_type: '1' }))
const walk = once(() => galleryOf(SIZES, { name: 'A walk by the sea' }))
const large = once(() => galleryOf(MANY, { name: '' }))
const adultGallery = once(() => galleryOf(SIZES.slice(0, 3), { fields: { content_type: '1' } }))

/** Files of formats that browsers can or cannot convert. Only their signatures matter. */
const MIXED: readonly PickedFile[] = [
  { name: 'IMG_1.heic', mimeType: 'image/heic', buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic') },
  { name: 'old.bmp', mimeType: 'image/bmp', buffer: bmp() },
]

/** Every page in every state, except those of a broken service. */
export const STATES: readonly State[] = [
  at('upload', () => '/'),
  { name: 'upload-chosen', open: chosen },
  {
    name: 'upload-sending',
    open: async (visit, language, visitor) => {
      const page = await chosen(visit, language, visitor)
      // The first one is done, the next ones stall.
      let uploads = 0
      await page.route('**/images', (route) => (++uploads === 1 ? route.continue() : undefined))
      await page.locator('#start').click()
      await page.locator('.file[data-state=done]').waitFor()
      return page
    },
  },
  {
    name: 'upload-paused',
    open: async (visit, language, visitor) => {
      const page = await chosen(visit, language, visitor)
      let uploads = 0
      const later = { status: 429, headers: { 'Retry-After': '3600' }, body: '' }
      await page.route('**/images', (route) => (++uploads === 1 ? route.continue() : route.fulfill(later)))
      await page.locator('#start').click()
      await page.locator('.file[data-state=done]').waitFor()
      await page.locator('#paused:not(:empty)').waitFor()
      return page
    },
  },
  {
    name: 'upload-halted',
    open: async (visit, language, visitor) => {
      const page = await chosen(visit, language, visitor, [...(await pickedImages(2)), await brokenInside()])
      await page.locator('#one-gallery').check()
      await page.locator('#start').click()
      await page.locator('#finish').waitFor()
      return page
    },
  },
  {
    name: 'upload-done',
    open: async (visit, language, visitor) => {
      const page = await chosen(visit, language, visitor)
      for (const option of ['#one-gallery', '#optimize_for_web']) await page.locator(option).check()
      await page.locator('#gallery-name').fill('A walk by the sea')
      await page.locator('#start').click()
      await page.locator('#results').waitFor()
      await page.locator('#tab-html').click()
      return page
    },
  },
  {
    name: 'upload-done-but-one',
    open: async (visit, language, visitor) => {
      const page = await chosen(visit, language, visitor, [...(await pickedImages(1)), await brokenInside()])
      await page.locator('#start').click()
      await page.locator('#results').waitFor()
      await page.locator('#remember').click()
      return page
    },
  },
  {
    name: 'upload-unfit',
    open: async (visit, language, visitor) =>
      chosen(visit, language, visitor, [...MIXED, TEXT, BROKEN, ...(await pickedImages(1))]),
  },
  {
    name: 'upload-stopped',
    open: async (visit, language, visitor) => {
      const page = await chosen(visit, language, visitor)
      await page.route('**/images', () => undefined)
      await page.locator('#start').click()
      await page.locator('#pause').click()
      return page
    },
  },
  {
    name: 'upload-start-over',
    open: async (visit, language, visitor) => {
      const page = await chosen(visit, language, visitor, [...(await pickedImages(2)), await brokenInside()])
      await page.locator('#one-gallery').check()
      await page.locator('#start').click()
      await page.locator('#finish').waitFor()
      await page.locator('#clear').click()
      await page.locator('#start-over').waitFor()
      return page
    },
  },
  {
    name: 'upload-offline',
    open: async (visit, language, visitor) => {
      const page = await chosen(visit, language, { ...visitor, complaints: [/net::ERR_/] })
      await page.route('**/images', (route) => route.abort('connectionreset'))
      await page.locator('#start').click()
      await page.locator('#offline:not(:empty)').waitFor()
      return page
    },
  },
  at('uploads-none', () => '/uploads'),
  {
    name: 'uploads',
    open: async (visit, language, visitor) => {
      const page = await chosen(visit, language, visitor)
      await page.locator('#start').click()
      await page.locator('#results').waitFor()
      await page.goto(`/uploads?lang=${language}`)
      await page.locator('#upload-list li').first().waitFor()
      return page
    },
  },
  {
    name: 'uploaded-without-script',
    open: async (visit, language, visitor) => {
      const page = await visit(`/?lang=${language}`, { ...visitor, script: 'empty' })
      await page.locator('#img').setInputFiles(await pickedImages(1))
      await page.locator('[name=include_manage_url]').check()
      await page.locator('[type=submit]').click()
      await page.locator('#code-manage').waitFor()
      return page
    },
  },
  {
    name: 'upload-refused-without-script',
    open: async (visit, language, visitor) => {
      const page = await visit(`/?lang=${language}`, { ...visitor, script: 'empty' })
      await page.locator('#img').setInputFiles(TEXT)
      await page.locator('[type=submit]').click()
      await page.locator('#upload-error').waitFor()
      return page
    },
  },
  at('picture', async () => (await landscape()).showUrl),
  at(
    'picture-full-size',
    async () => (await landscape()).showUrl,
    (page) => page.locator('#image').click(),
  ),
  at('picture-in-gallery', async () => (await walk()).images[1]?.showUrl ?? ''),
  at('picture-with-warning', async () => (await adult()).showUrl),
  at(
    'picture-unveiled',
    async () => (await adult()).showUrl,
    (page) => page.getByRole('checkbox').check(),
  ),
  at('gallery', async () => (await walk()).gallery.url),
  at('gallery-of-many', async () => (await large()).gallery.url),
  at('gallery-with-warning', async () => (await adultGallery()).gallery.url),
  at('gallery-codes', async () => `${(await walk()).gallery.url}/codes`),
  at('manage-picture', async () => (await landscape()).manageUrl ?? ''),
  at('manage-gallery', async () => (await walk()).gallery.manageUrl ?? ''),
  at(
    'manage-name-refused',
    async () => (await walk()).gallery.manageUrl ?? '',
    async (page) => {
      await page.locator('#name').fill('<')
      await page.locator('[value=rename]').click()
      await page.locator('#name-error').waitFor()
    },
  ),
  at(
    'manage-not-confirmed',
    async () => (await walk()).gallery.manageUrl ?? '',
    async (page) => {
      await page.locator('[name=confirm]').evaluate((box) => box.removeAttribute('required'))
      await page.locator('[value=delete]').click()
      await page.locator('#confirm-error').waitFor()
    },
  ),
  at(
    'manage-deleted',
    async () => (await uploadPhoto()).manageUrl ?? '',
    async (page) => {
      await page.locator('[name=confirm]').check()
      await page.locator('[value=delete]').click()
      await page.locator('form').waitFor({ state: 'detached' })
    },
  ),
  at(
    'manage-gone',
    async () => (await uploadPhoto()).manageUrl ?? '',
    async (page) => {
      await page.locator('[name=confirm]').check()
      await page.locator('[value=delete]').click()
      await page.locator('form').waitFor({ state: 'detached' })
      await page.goto(page.url())
    },
  ),
  at('report', async () => `/report?url=${encodeURIComponent((await landscape()).showUrl)}`),
  at(
    'report-refused',
    () => '/report?url=elsewhere',
    async (page) => {
      await page.locator('form').evaluate((form) => form.setAttribute('novalidate', ''))
      await page.locator('[type=submit]').click()
      await page.getByRole('alert').first().waitFor()
    },
  ),
  at(
    'report-sent',
    async () => `/report?url=${encodeURIComponent((await landscape()).showUrl)}`,
    async (page) => {
      await page.locator('[value=copyright]').check()
      await page.locator('#report-details').fill('It is mine.')
      await page.locator('[type=submit]').click()
      await page.locator('form').waitFor({ state: 'detached' })
    },
  ),
  at('no-picture', () => '/show/1/2_a.png'),
  at('no-gallery', () => '/gallery/abcdefghij'),
  at('nothing', () => '/nowhere'),
  at('docs', () => '/docs'),
  at('docs-reference', () => '/docs/reference'),
  at('tools', () => '/tools'),
  at('upload-embedded', () => '/?embed=1&origin=https%3A%2F%2Fforum.example'),
  at('docs-errors', () => '/docs/errors#missing_field'),
]

/** Returns a page at an address, with the actions before its state. */
function at(name: string, address: () => string | Promise<string>, act?: (page: Page) => Promise<void>): State {
  return {
    name,
    open: async (visit, language, visitor) => {
      const url = await address()
      const page = await visit(`${url}${url.includes('?') ? '&' : '?'}lang=${language}`, visitor)
      await act?.(page)
      return page
    },
  }
}

async function chosen(visit: Visit, language: string, visitor: Visitor, files?: readonly PickedFile[]): Promise<Page> {
  const page = await visit(`/?lang=${language}`, visitor)
  await choose(page, files ?? (await pickedImages(4)))
  await page.locator('#start').waitFor()
  return page
}
