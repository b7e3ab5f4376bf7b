import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { filesOfAllFormats } from './support/content.ts'
import { layoutShiftsOf, overflowOf } from './support/layout.ts'
import { cardOf, choose, judged, type PickedFile, pickedPictures, TEXT } from './support/upload-page.ts'
import { test } from './support/visit.ts'

describe.skipIf(!inject('chromium'))('choosing pictures', () => {
  test.for([1440, 820, 390])('nothing moves when the script begins, at %i pixels', async (width, { visit }) => {
    const page = await visit('/', { window: { width, height: 900 } })
    // The script comes after the first paint, as it does on a slow connection.
    const { promise: painted, resolve: isPainted } = Promise.withResolvers<void>()
    await page.route(/\/assets\/upload\.[^/]+\.js$/, async (route) => {
      await painted
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    isPainted()
    await page.locator('#upload[data-stage=empty]').waitFor()
    expect(await layoutShiftsOf(page)).toEqual([])
  })

  test('shows each with its preview, name and size, and how many they are', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await filesOfAllFormats())
    expect(await page.locator('#files > li').count()).toBe(5)
    await expect.poll(() => page.locator('#files canvas[data-drawn]').count()).toBe(5)
    expect(await cardOf(page, 'five.avif').innerText()).toMatch(/\d (KB|kB)/)
    expect(await page.locator('#total').innerText()).toMatch(/^5 pictures/)
    expect(await page.getByRole('button', { name: 'Upload 5 pictures' }).isEnabled()).toBe(true)
  })

  test('more can be added, none comes twice, each can be taken out', async ({ visit }) => {
    const page = await visit('/')
    const pictures = await pickedPictures(3)
    await choose(page, pictures.slice(0, 2))
    await choose(page, pictures.slice(2))
    await expect.poll(() => page.locator('#files > li').count()).toBe(3)
    await page.getByRole('button', { name: 'Remove 2.jpg' }).click()
    expect(await page.locator('#files .name').allInnerTexts()).toEqual(['1.jpg', '3.jpg'])
    // The focus goes on to a neighbour, not to nowhere.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Remove 3.jpg')
    await page.getByRole('button', { name: 'Start over' }).click()
    expect(await page.locator('#files > li').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Upload/ }).count()).toBe(0)
  })

  test('by a drop anywhere on the window, of which a hint tells', async ({ visit }) => {
    const page = await visit('/')
    const hint = page.locator('#drop-hint')
    await drag(page, 'dragover', await pickedPictures(2))
    expect(await hint.isVisible()).toBe(true)
    await drag(page, 'drop', await pickedPictures(2))
    await expect.poll(() => page.locator('#files > li').count()).toBe(2)
    expect(await page.locator('#files .name').allInnerTexts()).toEqual(['1.jpg', '2.jpg'])
    expect(await hint.isVisible()).toBe(false)
  })

  test('by a paste, named by when that was, and text that is pasted stays text', async ({ visit }) => {
    const page = await visit('/')
    const [picture] = await pickedPictures(1)
    if (!picture) throw new Error('no picture')
    await paste(page, [{ ...picture, name: 'image.jpg' }])
    await judged(page)
    expect(await page.locator('#files .name').allInnerTexts()).toEqual([
      expect.stringMatching(/^pasted-\d{4}(?:-\d\d){5}\.jpg$/),
    ])
    await paste(page, [])
    expect(await page.locator('#files > li').count()).toBe(1)
  })

  test('as a folder: its pictures in the order of their names, and nothing else', async ({ visit }) => {
    const folder = await mkdtemp(join(tmpdir(), 'tintype-browser-'))
    try {
      const [first, second, third] = await pickedPictures(3)
      for (const [name, file] of [
        ['IMG_10.jpg', third],
        ['IMG_9.jpg', second],
        ['IMG_1.jpg', first],
        ['notes.txt', TEXT],
      ] as const) {
        await writeFile(join(folder, name), file?.buffer ?? '')
      }
      const page = await visit('/')
      await page.getByLabel('A folder').setInputFiles(folder)
      await judged(page)
      expect(await page.locator('#files .name').allInnerTexts()).toEqual(['IMG_1.jpg', 'IMG_9.jpg', 'IMG_10.jpg'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('with the camera of a phone, which has no folders', async ({ visit }) => {
    const page = await visit('/', { phone: true })
    const camera = page.getByLabel('Take a photo')
    expect(await camera.getAttribute('capture')).toBe('environment')
    expect(await page.getByText('A folder').isVisible()).toBe(false)
    await camera.setInputFiles((await pickedPictures(1)).map((file) => ({ ...file })))
    await judged(page)
    expect(await page.locator('#files > li').count()).toBe(1)
    expect(await overflowOf(page)).toBe(0)
  })
})

/** What the browser tells of files that are dragged in from elsewhere. */
async function drag(page: Page, type: string, files: readonly PickedFile[]): Promise<void> {
  const dataTransfer = await transferOf(page, files)
  await page.locator('footer').dispatchEvent(type, { dataTransfer, bubbles: true, cancelable: true })
}

async function paste(page: Page, files: readonly PickedFile[]): Promise<void> {
  const clipboardData = await transferOf(page, files)
  await page.evaluate(
    (data) => document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })),
    clipboardData,
  )
}

function transferOf(page: Page, files: readonly PickedFile[]) {
  return page.evaluateHandle(
    (all) => {
      const transfer = new DataTransfer()
      for (const { name, mimeType, bytes } of all) {
        transfer.items.add(new File([new Uint8Array(bytes)], name, { type: mimeType, lastModified: 1 }))
      }
      return transfer
    },
    files.map(({ name, mimeType, buffer }) => ({ name, mimeType, bytes: [...buffer] })),
  )
}
