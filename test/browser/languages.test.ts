import { describe, expect, inject } from 'vitest'
import { galleryOf, sharedGallery, sharedImage } from './support/content.ts'
import { overflowOf } from './support/layout.ts'
import { test } from './support/visit.ts'

const NAMES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português (Brasil)',
  it: 'Italiano',
  nl: 'Nederlands',
  da: 'Dansk',
  sv: 'Svenska',
  fi: 'Suomi',
  pl: 'Polski',
  cs: 'Čeština',
  hu: 'Magyar',
  ro: 'Română',
  el: 'Ελληνικά',
  uk: 'Українська',
  ru: 'Русский',
  tr: 'Türkçe',
  id: 'Bahasa Indonesia',
  vi: 'Tiếng Việt',
  ja: '日本語',
  ko: '한국어',
  zh: '简体中文',
  'zh-Hant': '繁體中文',
  ar: 'العربية',
} as const
/** Languages whose links are followed from page to page: one of each script. */
const WALKED = ['de', 'zh-Hant', 'ar']

describe.skipIf(!inject('chromium'))('languages', () => {
  test('are chosen by their own names and kept by the links', async ({ visit }) => {
    const { gallery, images } = await sharedGallery()
    const first = images[0]?.showUrl ?? ''
    const page = await visit(first, { language: 'de', phone: true })
    for (const [code, name] of Object.entries(NAMES)) {
      if (!WALKED.includes(code)) {
        for (const address of [first, '/']) {
          await page.goto(`${address}?lang=${code}`)
          expect(await overflowOf(page), `${address} in ${code}`).toBe(0)
        }
        expect(await page.locator('.languages [aria-current]').textContent()).toBe(name)
        continue
      }
      // The page is in the browser's own language, so it is opened in another one.
      await page.goto(code === 'de' ? `${first}?lang=en` : first)
      await page.locator('.menu summary').click()
      await page.getByRole('link', { name, exact: true }).click()
      await page.waitForURL(`${first}?lang=${code}`)
      const html = page.locator('html')
      const written = [await html.getAttribute('lang'), await html.getAttribute('dir')]
      expect(written).toEqual([code, code === 'ar' ? 'rtl' : 'ltr'])
      expect(await page.locator('.languages [aria-current]').textContent()).toBe(name)
      expect(await overflowOf(page), `the picture in ${code}`).toBe(0)
      await page.locator('a[rel=next]').click()
      await page.waitForURL(`${images[1]?.showUrl}?lang=${code}`)
      expect(await html.getAttribute('lang')).toBe(code)
      await page.locator('a.brand').click()
      await page.waitForURL(`/?lang=${code}`)
      expect(await html.getAttribute('lang')).toBe(code)
      expect(await overflowOf(page), `the upload page in ${code}`).toBe(0)
      await page.goto(`${gallery.url}?lang=${code}`)
      expect(await overflowOf(page), `the gallery in ${code}`).toBe(0)
      const link = page.locator('.images > a').first()
      expect(await link.getAttribute('href')).toBe(`${first}?lang=${code}`)
      await page.goto(`${first}?lang=${code}`)
      await page.locator('a.link').click()
      await page.waitForURL(`${gallery.url}?lang=${code}`)
    }
  })

  test.for([
    { language: 'zh-TW', heading: /[一-鿿]/, lang: 'zh-Hant' },
    { language: 'th', heading: /^Upload and share/, lang: 'en' },
  ])("$language follows the browser's preference", async ({ language, heading, lang = language }, { visit }) => {
    const page = await visit('/', { language })
    expect(await page.locator('html').getAttribute('lang')).toBe(lang)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(heading)
  })

  test('a rejected name is explained in the language of the form', async ({ visit }) => {
    const { gallery } = await galleryOf([[300, 200]])
    const page = await visit(`${gallery.manageUrl}?lang=de`, { complaints: [/status of 422/] })
    await page.locator('#name').fill('<')
    await page.locator('button[value=rename]').click()
    await page.locator('#name-error').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
  })

  test('from right to left, the image and its links are mirrored, its codes are not', async ({ visit }) => {
    const { showUrl } = await sharedImage()
    const page = await visit(`${showUrl}?lang=ar`)
    expect(await page.locator('#code-link').evaluate((field) => getComputedStyle(field).direction)).toBe('ltr')
    const brand = await page.locator('.brand').boundingBox()
    expect(brand?.x).toBeGreaterThan(640)
  })
})
