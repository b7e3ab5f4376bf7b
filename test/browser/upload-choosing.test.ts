import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { plain, png } from '../contract/support/images.ts'
import { filesOfAllFormats, jpegOf } from './support/content.ts'
import { boxOf, layoutShiftsOf, overflowOf } from './support/layout.ts'
import {
  cardOf,
  choose,
  judged,
  type PickedFile,
  pickedImages,
  resultLinks,
  resultsOf,
  setFiles,
  start,
  TEXT,
} from './support/upload-page.ts'
import { test } from './support/visit.ts'

describe.skipIf(!inject('chromium'))('choosing images', () => {
  test.for([1440, 820, 390])('nothing moves when the script starts, at %i pixels', async (width, { visit }) => {
    const page = await visit('/', { window: { width, height: 900 } })
    // The script arrives after the first paint, as on a slow connection.
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
    // A slow device shows the page while it is read: what follows must not move what is there.
    const before = await boxOf(page.locator('.ways'))
    await page.locator('.drop .hint').evaluateAll((hints) => {
      for (const hint of hints) hint.remove()
    })
    expect(await boxOf(page.locator('.ways'))).toEqual(before)
  })

  test('shows each image with its preview, name and size, and their number', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await filesOfAllFormats())
    expect(await page.locator('#files > li').count()).toBe(5)
    await expect.poll(() => page.locator('#files canvas[data-drawn]').count()).toBe(5)
    expect(await cardOf(page, 'five.avif').innerText()).toMatch(/\d (KB|kB)/)
    expect(await page.locator('#total').innerText()).toMatch(/^5 pictures/)
    expect(await page.getByRole('button', { name: 'Upload 5 pictures' }).isEnabled()).toBe(true)
  })

  test('draws at most two previews at once, as large as their tiles, and only of visible ones', async ({ visit }) => {
    const page = await visit('/', { phone: true })
    const image = { mimeType: 'image/jpeg', buffer: await jpegOf(900, 600) }
    const decodes = await countDecodes(page)
    const names = Array.from({ length: 30 }, (_, index) => `${index + 1}.jpg`)
    await choose(
      page,
      names.map((name) => ({ ...image, name })),
    )
    const [first, last] = [cardOf(page, '1.jpg'), cardOf(page, '30.jpg')].map((card) => card.locator('canvas'))
    if (!first || !last) throw new Error('no cards')
    await expect.poll(() => first.getAttribute('data-drawn')).toBe('')
    await expect.poll(async () => (await decodes()).active).toBe(0)
    expect((await decodes()).sizes.length).toBeLessThan(20)
    expect(await last.getAttribute('data-drawn')).toBe(null)
    await last.scrollIntoViewIfNeeded()
    await expect.poll(() => last.getAttribute('data-drawn')).toBe('')
    const { most, sizes } = await decodes()
    expect([most, ...new Set(sizes)]).toEqual([2, '318x212'])
    expect((await drawnOn(last)).canvas).toEqual([212, 212])
  })

  test('fills tiles with images of every shape, and enlarges neither icons nor strips for it', async ({ visit }) => {
    const page = await visit('/')
    const decodes = await countDecodes(page)
    const shapes = {
      wide: { size: [1200, 300], asked: '848x212', drawn: [212, 212] },
      tall: { size: [300, 1200], asked: '212x848', drawn: [212, 212] },
      icon: { size: [32, 32], asked: '32x32', drawn: [48, 48] },
      strip: { size: [10, 10_000], asked: '10x10000', drawn: [15, 212] },
      ribbon: { size: [40_000, 100], asked: '20400x51', drawn: [212, 77] },
    } as const
    for (const [name, { size, asked, drawn }] of Object.entries(shapes)) {
      const [width, height] = size
      const buffer = await png(plain(width, height, [200, 60, 60]))
      await choose(page, [{ name: `${name}.png`, mimeType: 'image/png', buffer }])
      const canvas = cardOf(page, `${name}.png`).locator('canvas')
      await expect.poll(() => canvas.getAttribute('data-drawn')).toBe('')
      expect((await decodes()).sizes.at(-1), name).toBe(asked)
      const shown = await drawnOn(canvas)
      expect(shown.canvas, name).toEqual([212, 212])
      // An edge may be at half a pixel.
      for (const [i, px] of drawn.entries()) expect(Math.abs((shown.drawn[i] ?? 0) - px), name).toBeLessThanOrEqual(1)
    }
    const tiles = await page.locator('.preview').evaluateAll((all) => all.map((one) => one.clientWidth))
    for (const tile of tiles) expect(tile).toBeLessThanOrEqual(212)
  })

  test('more can be added, none is added twice, each can be removed', async ({ visit }) => {
    const page = await visit('/')
    const images = await pickedImages(3)
    await choose(page, images.slice(0, 2))
    await choose(page, images.slice(2))
    await expect.poll(() => page.locator('#files > li').count()).toBe(3)
    await page.getByRole('button', { name: 'Remove 2.jpg' }).click()
    expect(await page.locator('#files .name').allInnerTexts()).toEqual(['1.jpg', '3.jpg'])
    // The focus moves to a neighbour.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Remove 3.jpg')
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.poll(() => page.locator('#files > li').count()).toBe(0)
    expect(await page.getByRole('button', { name: /^Upload/ }).count()).toBe(0)
  })

  test('by a drop anywhere on the window, with a hint', async ({ visit }) => {
    const page = await visit('/')
    const hint = page.locator('#drop-hint')
    await drag(page, 'dragover', await pickedImages(2))
    expect(await hint.isVisible()).toBe(true)
    await drag(page, 'drop', await pickedImages(2))
    await expect.poll(() => page.locator('#files > li').count()).toBe(2)
    expect(await page.locator('#files .name').allInnerTexts()).toEqual(['1.jpg', '2.jpg'])
    expect(await hint.isVisible()).toBe(false)
  })

  test('by a paste, named by its time, and pasted text stays text', async ({ visit }) => {
    const page = await visit('/')
    const [image] = await pickedImages(1)
    if (!image) throw new Error('no picture')
    await paste(page, [{ ...image, name: 'image.jpg' }])
    await judged(page)
    expect(await page.locator('#files .name').allInnerTexts()).toEqual([
      expect.stringMatching(/^pasted-\d{4}(?:-\d\d){5}\.jpg$/),
    ])
    await paste(page, [])
    expect(await page.locator('#files > li').count()).toBe(1)
  })

  test('by a paste and a drop while results are shown, which stay: new files appear below', async ({ visit }) => {
    const page = await visit('/')
    const [first, second, third] = await pickedImages(3)
    if (!first || !second || !third) throw new Error('no pictures')
    await choose(page, [first])
    await start(page)
    const results = await resultsOf(page)
    const links = await resultLinks(page)
    await paste(page, [{ ...second, name: 'image.jpg' }])
    await drag(page, 'drop', [third])
    const names = page.locator('#files .name')
    await expect.poll(() => names.allInnerTexts()).toEqual([expect.stringMatching(/^pasted-\d{4}/), '3.jpg'])
    expect([await results.isVisible(), await resultLinks(page)]).toEqual([true, links])
    // The list has a button of its own for more, because that of the results would remove it.
    expect(await page.getByRole('button', { name: 'Upload more' }).isVisible()).toBe(false)
    await start(page)
    await expect.poll(() => resultLinks(page)).toHaveLength(3)
    const [before, pasted, dropped] = await resultLinks(page)
    expect([before, pasted, dropped]).toEqual([
      links[0],
      expect.stringMatching(/_pasted-\d{4}(?:-\d\d){5}\.jpg$/),
      expect.stringMatching(/_3\.jpg$/),
    ])
    expect(await overflowOf(page)).toBe(0)
  })

  test('without a connection: they are in the list at once, or wait for what is not loaded yet', async ({ visit }) => {
    const complaints = [/net::ERR_INTERNET_DISCONNECTED/]
    const page = await visit('/', { ownProfile: true, complaints })
    const [first, second] = await pickedImages(2)
    if (!first || !second) throw new Error('no pictures')
    await page.locator('#img').focus()
    const script = await page.waitForFunction(
      () => performance.getEntriesByType('resource').find(({ name }) => /\/judging\.[^/]+\.js$/.test(name))?.name,
    )
    // The scripts that it imports may still be loading. As text, since Vite would replace the import.
    await page.evaluate(`import(${JSON.stringify(await script.jsonValue())}).then(() => undefined)`)
    await page.context().setOffline(true)
    await choose(page, [first])
    expect(await page.locator('#files > li').count()).toBe(1)
    await page.context().setOffline(false)

    let loaded = () => undefined
    const held = new Promise<void>((resolve) => {
      loaded = () => {
        resolve()
        return undefined
      }
    })
    await page.route('**/judging.*.js', async (route) => {
      await held
      await route.continue()
    })
    await page.reload()
    await page.locator('#img').focus()
    await page.context().setOffline(true)
    await setFiles(page.locator('#img'), [second])
    await page.getByText('You’re offline. The upload resumes when you’re back online.').waitFor()
    await page.context().setOffline(false)
    loaded()
    await judged(page)
    expect(await page.locator('#files > li').count()).toBe(1)
    expect(await page.locator('#gathering').innerText()).toBe('')
  })

  test('as a folder: its images in the order of their names, and nothing else', async ({ visit }) => {
    const folder = await mkdtemp(join(tmpdir(), 'tintype-browser-'))
    try {
      const [first, second, third] = await pickedImages(3)
      for (const [name, file] of [
        ['IMG_10.jpg', third],
        ['IMG_9.jpg', second],
        ['IMG_1.jpg', first],
        ['notes.txt', TEXT],
      ] as const) {
        await writeFile(join(folder, name), file?.buffer ?? '')
      }
      const page = await visit('/')
      await page.getByLabel('Choose a folder').setInputFiles(folder)
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
    expect(await page.getByText('Choose a folder').isVisible()).toBe(false)
    await camera.setInputFiles((await pickedImages(1)).map((file) => ({ ...file })))
    await judged(page)
    expect(await page.locator('#files > li').count()).toBe(1)
    expect(await overflowOf(page)).toBe(0)
  })
})

/** Counts the images that the page decodes from now on: the running ones, the most at once, and the width of each. */
async function countDecodes(page: Page) {
  const counts = await page.evaluateHandle(() => {
    const counted = { active: 0, most: 0, sizes: [] as string[] }
    const decode = createImageBitmap
    Object.assign(window, {
      createImageBitmap: async (file: File, options?: ImageBitmapOptions) => {
        counted.active++
        counted.most = Math.max(counted.most, counted.active)
        // Without options: the whole image.
        const bitmap = await decode(file, options ?? {})
        counted.sizes.push(`${bitmap.width}x${bitmap.height}`)
        await new Promise((resolve) => requestAnimationFrame(resolve))
        counted.active--
        return bitmap
      },
    })
    return counted
  })
  return () => counts.jsonValue()
}

/** Returns the pixels of a preview's canvas, and how many across and down its middle are painted. */
function drawnOn(canvas: Locator) {
  return canvas.evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) throw new Error('no canvas')
    const { width, height } = element
    const pixels = element.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    const isPainted = (x: number, y: number) => Number((pixels[4 * (y * width + x) + 3] ?? 0) > 127)
    let [across, down] = [0, 0]
    for (let x = 0; x < width; x++) across += isPainted(x, height >> 1)
    for (let y = 0; y < height; y++) down += isPainted(width >> 1, y)
    return { canvas: [width, height], drawn: [across, down] }
  })
}

/** Sends the browser's events for files that are dragged in from elsewhere. */
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
