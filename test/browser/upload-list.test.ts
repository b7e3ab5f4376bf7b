import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { Page } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import { jpegOfBytes } from './support/content.ts'
import { boxOf } from './support/layout.ts'
import {
  BROKEN,
  bmp,
  choose,
  imageNamesIn,
  pickedImages,
  resultLinks,
  resultsOf,
  start,
  TEXT,
} from './support/upload-page.ts'
import { test } from './support/visit.ts'

const UPLOAD_MAX_BYTES = 10_485_760

describe.skipIf(!inject('chromium'))('the list of images to upload', () => {
  test('contains only uploadable files: one notice lists the rest, and fixes what it can', async ({ visit }) => {
    const page = await visit('/')
    const large = { name: 'large.jpg', mimeType: 'image/jpeg', buffer: await jpegOfBytes(UPLOAD_MAX_BYTES + 1) }
    const old = { name: 'old.bmp', mimeType: 'image/bmp', buffer: bmp() }
    const heic = { name: 'a.heic', mimeType: 'image/heic', buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic') }
    await choose(page, [TEXT, large, ...(await pickedImages(1)), old, BROKEN, heic])
    expect(await namesOf(page)).toEqual(['1.jpg'])
    const notice = page.getByRole('region', { name: '5 files need changes before upload' })
    expect((await notice.innerText()).split('\n').filter((line) => line !== '')).toEqual([
      '5 files need changes before upload',
      'Close',
      'This file type isn’t supported. Accepted formats: JPEG, PNG, GIF, WebP, and AVIF.',
      'notes.txt',
      'Larger than 10 MB or 100 megapixels.',
      'large.jpg',
      'Make smaller',
      'This format cannot be uploaded, but your browser can convert it.',
      'old.bmp',
      'Convert to JPEG',
      'The picture is damaged.',
      'broken.png',
      'This format cannot be uploaded, and your browser cannot convert it. Save it as JPEG first.',
      'a.heic',
    ])
    await notice.getByRole('button', { name: 'Convert to JPEG' }).click()
    await expect.poll(() => namesOf(page)).toEqual(['1.jpg', 'old.jpg'])
    await page.getByRole('button', { name: 'Make smaller' }).click()
    await expect.poll(() => namesOf(page)).toEqual(['1.jpg', 'old.jpg', 'large.jpg'])
    await page.getByRole('region', { name: '3 files need changes' }).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Upload 3 pictures' }).click()
    await resultsOf(page)
    expect(await resultLinks(page)).toHaveLength(3)
  })

  test('is sorted by Alt and the arrow keys and by dragging, and so is the gallery', async ({ visit }) => {
    const page = await visit('/')
    await choose(page, await pickedImages(4))
    await page.getByRole('button', { name: 'Remove 1.jpg' }).focus()
    await page.keyboard.press('Alt+ArrowRight')
    await page.keyboard.press('Alt+ArrowRight')
    expect(await namesOf(page)).toEqual(['2.jpg', '3.jpg', '1.jpg', '4.jpg'])
    expect(await page.locator('#announcement').innerText()).toBe('1.jpg is now 3 of 4')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Remove 1.jpg')
    const cards = page.locator('#files > li')
    await cards.nth(3).locator('.name').dragTo(cards.nth(0).locator('.name'))
    await expect.poll(() => namesOf(page)).toEqual(['4.jpg', '2.jpg', '3.jpg', '1.jpg'])
    await page.getByLabel('Put all in one gallery').check()
    await start(page)
    await resultsOf(page)
    const names = await imageNamesIn(page)
    expect(names).toEqual(['4.jpg', '2.jpg', '3.jpg', '1.jpg'])
  })

  test('is sorted by a finger that rests on an image before it moves', async ({ visit }) => {
    const page = await visit('/', { phone: true })
    await choose(page, await pickedImages(2))
    const session = await page.context().newCDPSession(page)
    const [first, second] = [
      await boxOf(page.locator('#files > li').nth(0)),
      await boxOf(page.locator('#files > li').nth(1)),
    ]
    const at = ({ x, y, width }: typeof first) => [{ x: x + width / 3, y: y + width / 2 }]
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints })
    await touch('touchStart', at(second))
    await page.locator('#files > li[data-dragged]').waitFor()
    await touch('touchMove', at(first))
    await expect.poll(() => namesOf(page)).toEqual(['2.jpg', '1.jpg'])
    await touch('touchEnd', [])
    await expect.poll(() => page.locator('#announcement').innerText()).toBe('2.jpg is now 1 of 2')
    expect(await page.locator('[data-dragged]').count()).toBe(0)
  })

  test('accepts the image at a pasted or dropped address, if its server allows it', async ({ visit }) => {
    const [image] = await pickedImages(1)
    const asked: IncomingHttpHeaders[] = []
    const server = createServer(({ url, headers }, response) => {
      asked.push(headers)
      response.writeHead(200, {
        'Content-Type': 'image/jpeg',
        ...(url?.startsWith('/open/') ? { 'Access-Control-Allow-Origin': '*' } : {}),
      })
      response.end(image?.buffer)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const address = server.address()
      const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
      const page = await visit('/', { complaints: [/blocked by CORS policy/, /net::ERR_FAILED/] })
      await pasteText(page, `${origin}/closed/dog.jpg`)
      await page.getByText('That site doesn’t allow its pictures').waitFor()
      expect(await page.locator('#files > li').count()).toBe(0)
      await pasteText(page, `${origin}/open/cat.jpg?size=large`)
      await expect.poll(() => namesOf(page)).toEqual(['cat.jpg'])
      // Otherwise the browser would open it instead of the page.
      const isTaken = await dropAddress(page, 'body', `${origin}/open/fox.jpg`)
      await expect.poll(() => namesOf(page)).toEqual(['cat.jpg', 'fox.jpg'])
      expect([isTaken, await dropAddress(page, '#gallery-name', `${origin}/open/a.jpg`)]).toEqual([true, false])
      expect(asked.map(({ cookie, referer }) => [cookie, referer])).toEqual(Array(3).fill([undefined, undefined]))
    } finally {
      server.close()
    }
  })
})

function namesOf(page: Page): Promise<string[]> {
  return page.locator('#files .name').allInnerTexts()
}

/** Drops an address from another window. Returns whether the page accepts it. */
function dropAddress(page: Page, selector: string, address: string): Promise<boolean> {
  return page.locator(selector).evaluate((target, dropped) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.setData('text/uri-list', dropped)
    return !target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, address)
}

function pasteText(page: Page, text: string): Promise<boolean> {
  return page.evaluate((words) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', words)
    return document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, text)
}
