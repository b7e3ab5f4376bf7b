import { describe, expect, inject } from 'vitest'
import { jpegOf } from './support/content.ts'
import { boxOf, follow, overflowOf } from './support/layout.ts'
import { BROKEN, pickedImages, setFiles, TEXT } from './support/upload-page.ts'
import { test } from './support/visit.ts'

describe.skipIf(!inject('chromium'))('the upload page without scripts', () => {
  test('uploads one image and returns its links, codes and private link', async ({ visit }) => {
    const page = await visit('/', { script: false })
    await page.locator('#img').setInputFiles(await pickedImages(1))
    expect(await page.getByLabel('Create deletion links').isChecked()).toBe(true)
    // It is ticked: without a script, this removes the location.
    const strips = page.getByLabel('Remove location and camera data, and make large photos smaller')
    expect(await strips.isChecked()).toBe(true)
    await follow(page, () => page.getByRole('button', { name: 'Upload' }).click())
    await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
    expect(await page.locator('#code-manage').inputValue()).toMatch(/\/manage\/[A-Za-z0-9_-]{43}$/)
    expect(await page.getByText(/% smaller\) · converted to WebP$/).count()).toBe(1)
    const link = await page.locator('#code-link').inputValue()
    expect(await page.locator('#code-bbcode-full').inputValue()).toContain(`[url=${link}][img]`)
    expect(await page.getByRole('button').count()).toBe(0)
    await page.getByRole('link', { name: 'Open the page' }).click()
    await page.waitForURL(link)
  })

  test('shows a large preview that is as wide as a phone allows', async ({ visit }) => {
    const page = await visit('/', { script: false, phone: true })
    await setFiles(page.locator('#img'), [{ name: 'a.jpg', mimeType: 'image/jpeg', buffer: await jpegOf(900, 600) }])
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
    expect((await boxOf(page.locator('main img'))).width).toBe(358)
    expect(await overflowOf(page)).toBe(0)
  })

  test('offers no codes in the text of another site, which needs a script', async ({ visit }) => {
    for (const script of [true, false]) {
      const page = await visit('/?embed=1&origin=https://forum.example', { script })
      expect(await page.getByText('forum.example').isVisible()).toBe(script)
    }
  })

  test('offers only what it can do', async ({ visit }) => {
    const page = await visit('/', { script: false })
    for (const words of ['Choose a folder', 'Take a photo', 'Put all in one gallery', 'drag and drop']) {
      expect(await page.getByText(words).isVisible(), words).toBe(false)
    }
    expect(await page.locator('#img').isVisible()).toBe(true)
  })

  test.for([
    { what: 'a text', file: TEXT, words: 'This file type isn’t supported' },
    { what: 'a broken picture', file: BROKEN, words: 'The picture is damaged' },
    {
      what: 'too many bytes',
      file: { ...TEXT, buffer: Buffer.alloc(10_485_761) },
      words: 'The file is larger than 10 MB',
    },
  ])('returns the form for $what, with words', async ({ file, words }, { visit }) => {
    const page = await visit('/?lang=en', { script: false, complaints: [/status of 4\d\d/] })
    await setFiles(page.locator('#img'), [file])
    await page.getByRole('button', { name: 'Upload' }).click()
    expect(await page.getByRole('alert').first().innerText()).toContain(words)
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    await page.locator('#img').setInputFiles(await pickedImages(1))
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('heading', { name: 'Ready to share' }).waitFor()
  })
})
