import { createServer, type Server } from 'node:http'
import type { Page, Worker } from 'playwright-core'
import { MIB } from 'tintype-codec/units'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { freePort } from '../contract/support/service.ts'
import { stopServer } from '../support/stop-server.ts'
import { findBarriers } from './support/axe.ts'
import { cardOf, judged, type PickedFile, pickedImages, resultsOf, start, TEXT } from './support/upload-page.ts'
import { test } from './support/visit.ts'

const REFUSED = [/status of 403/]
const SILENT = '<meta name="referrer" content="no-referrer">'

const port = await freePort()
const elsewhere = `http://127.0.0.1:${port}`
let server: Server

/** A page of another site. With `/silent` its requests have no referrer. */
beforeAll(async () => {
  server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html; charset=UTF-8')
    const referrer = url === '/silent' ? SILENT : ''
    response.end(`<!DOCTYPE html><html lang="en"><link rel="icon" href="data:,">${referrer}<title>Another site</title>`)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
})
afterAll(() => stopServer(server))

describe.skipIf(!inject('chromium'))('files that another app shares', () => {
  test('are shown in the installed app, and join the list when the user adds them; nothing is sent', async ({
    visit,
  }) => {
    const page = await visit('/', { installed: true })
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/images') && sent.push(request.url()))
    await share(page, await pickedImages(3))
    const shown = shownIn(page)
    await shown.waitFor()
    expect(await findBarriers(page)).toEqual([])
    expect(await shown.locator('#shared-total').innerText()).toMatch(/^3 pictures · [\d.]+ kB$/)
    expect(await shown.getByRole('listitem').allInnerTexts()).toEqual(['1.jpg', '2.jpg', '3.jpg'])
    expect(await shown.locator('#shared-left').isVisible()).toBe(false)
    expect([page.url(), await namesIn(page)]).toEqual([new URL('/', page.url()).href, []])
    await shown.getByRole('button', { name: 'Add' }).click()
    await judged(page)
    expect([await namesIn(page), await shown.isVisible()]).toEqual([['1.jpg', '2.jpg', '3.jpg'], false])
    await page.reload()
    expect([await namesIn(page), sent]).toEqual([[], []])
  })

  test('are deleted when the user discards them; what was added before stays', async ({ visit }) => {
    const page = await visit('/', { installed: true })
    const [one, two] = await pickedImages(2)
    if (!one || !two) throw new Error('too few pictures')
    await share(page, [one], 'Add')
    await share(page, [two])
    expect(await namesIn(page)).toEqual(['1.jpg'])
    await shownIn(page).getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => waitingOf(page)).toBe(1)
    expect([await namesIn(page), await shownIn(page).isVisible()]).toEqual([['1.jpg'], false])
  })

  test('are added to those that wait, without those that were sent or removed', async ({ visit }) => {
    const page = await visit('/', { installed: true })
    const [one, two, three, four, five] = await pickedImages(5)
    if (!one || !two || !three || !four || !five) throw new Error('too few pictures')
    await share(page, [one, two], 'Add')
    await cardOf(page, '1.jpg').getByRole('button', { name: 'Remove' }).click()
    // A file that is shared twice is listed once, and a file that is no image does not wait.
    await share(page, [two, three, TEXT], 'Add')
    expect(await namesIn(page)).toEqual(['2.jpg', '3.jpg'])
    await expect.poll(() => waitingOf(page)).toBe(2)
    await start(page)
    await resultsOf(page)
    await expect.poll(() => waitingOf(page)).toBe(0)
    await page.evaluate(() =>
      window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), true),
    )
    await share(page, [four], 'Add')
    expect(await namesIn(page)).toEqual(['4.jpg'])
    // A reload, or a window that was closed, ends its list.
    await page.reload()
    await expect.poll(() => waitingOf(page)).toBe(0)
    await share(page, [four], 'Add')
    await page.evaluate(() => sessionStorage.clear())
    await share(page, [five], 'Add')
    expect([await namesIn(page), await waitingOf(page)]).toEqual([['5.jpg'], 1])
    await page.getByRole('button', { name: 'Start over' }).click()
    await expect.poll(() => waitingOf(page)).toBe(0)
  })

  test('are left out beyond 100 files or 200 MB, and if the device has no room: the page says how many', async ({
    visit,
  }) => {
    const page = await visit('/', { installed: true })
    const shown = shownIn(page)
    const left = shown.locator('#shared-left')
    await share(page, manyFiles(102))
    expect(await left.innerText()).toMatch(
      /^2 files were not added\.\s+You can share up to 100 files and 200 MB at once/,
    )
    expect(await shown.getByRole('listitem').count()).toBe(100)
    await shown.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => waitingOf(page)).toBe(0)
    await share(page, [{ name: 'large.jpg', bytes: 201 * MIB }, ...manyFiles(1)])
    expect(await left.innerText()).toMatch(/^1 file was not added\./)
    expect(await shown.getByRole('listitem').allInnerTexts()).toEqual(['0.jpg'])
    await shown.getByRole('button', { name: 'Discard' }).click()
    const worker = await workerOf(page)
    await worker.evaluate(() => {
      Cache.prototype.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
    })
    await share(page, manyFiles(3))
    expect(await left.innerText()).toMatch(/^3 files were not added\./)
    expect(await shown.getByRole('button', { name: 'Add' }).isVisible()).toBe(false)
    expect(await waitingOf(page)).toBe(0)
  })

  test('are shown as far as they arrived when the share stalls, and the page says so', async ({ visit }) => {
    const page = await visit('/', { installed: true })
    const worker = await workerOf(page)
    await worker.evaluate(stallSecondFile)
    await share(page, manyFiles(3))
    const shown = shownIn(page)
    const interrupted = shown.locator('#shared-interrupted')
    expect(await interrupted.innerText()).toBe('The share was interrupted. Share the missing files again.')
    expect(await shown.getByRole('listitem').allInnerTexts()).toEqual(['0.jpg'])
    expect(await findBarriers(page)).toEqual([])
    await shown.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => waitingOf(page)).toBe(0)
    // The page also says so if it cannot read them.
    await page.addInitScript(() => {
      Cache.prototype.match = () => Promise.reject(new DOMException('broken', 'UnknownError'))
    })
    await page.evaluate(() =>
      caches.open('shared').then((cache) => cache.put('/shared/9999999999999-0', new Response('x'))),
    )
    await page.goto('/?shared=9999999999999')
    await interrupted.waitFor()
    expect(await shown.getByRole('button', { name: 'Add' }).isVisible()).toBe(false)
  })

  test('come from no page of another site: after a visit in a tab its form is rejected', async ({ visit }) => {
    for (const path of ['/', '/silent']) {
      const page = await visit('/', { ownProfile: true, complaints: REFUSED })
      await page.waitForLoadState('networkidle')
      await shareFrom(page, elsewhere + path)
      await page.getByRole('heading', { name: 'This form was sent from another site' }).waitFor()
      expect(await waitingOf(page)).toBe(0)
    }
  })

  test('come from no page of another site, even with the installed app', async ({ visit }) => {
    const app = await visit('/', { installed: true, complaints: REFUSED })
    await workerOf(app)
    const page = await app.context().newPage()
    await shareFrom(page, `${elsewhere}/`)
    await page.getByRole('heading', { name: 'This form was sent from another site' }).waitFor()
    expect(await waitingOf(page)).toBe(0)
    // Without a referrer it looks like a share of an app, but the tab shows nothing, and deletes it.
    await share(app, await pickedImages(1))
    const [response] = await Promise.all([page.waitForResponse('**/?shared=*'), shareFrom(page, `${elsewhere}/silent`)])
    expect(response.ok()).toBe(true)
    await expect.poll(() => waitingOf(page)).toBe(1)
    await page.waitForURL(/\/$/)
    expect([await shownIn(page).isVisible(), await namesIn(page)]).toEqual([false, []])
    await page.close()
  })
})

/** A file of this many bytes, which need not be an image. */
interface AnyFile {
  name: string
  bytes: number
}

function manyFiles(count: number): AnyFile[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${index}.jpg`, bytes: 10 }))
}

function shownIn(page: Page) {
  return page.getByRole('region', { name: 'Shared from another app' })
}

function namesIn(page: Page): Promise<string[]> {
  return page.locator('#files .name').allInnerTexts()
}

/** Returns the active service worker. Before it is active, the service itself receives a share and uploads it. */
async function workerOf(page: Page): Promise<Worker> {
  const stateOf = async () => (await navigator.serviceWorker.getRegistration('/share'))?.active?.state
  await expect.poll(() => page.evaluate(stateOf)).toBe('activated')
  return page.context().serviceWorkers()[0] ?? page.context().waitForEvent('serviceworker')
}

/** Runs in the service worker: storing the second file never ends, and the time of the timers is over then. */
function stallSecondFile(): void {
  const { put } = Cache.prototype
  const { setTimeout } = globalThis
  const timers = new Map<number, () => void>()
  let puts = 0
  const isStalled = () => puts > 1
  Cache.prototype.put = function (...file) {
    if (++puts === 1) return put.apply(this, file)
    for (const call of timers.values()) call()
    return new Promise(() => undefined)
  }
  Object.assign(globalThis, {
    setTimeout: (call: () => void) => (isStalled() ? setTimeout(call) : timers.set(timers.size + 1, call).size),
    clearTimeout: (id: number) => timers.set(id, () => undefined),
  })
}

/** Shares files with the installed app as a share sheet does, and presses the button. */
async function share(page: Page, files: readonly (PickedFile | AnyFile)[], button?: 'Add'): Promise<void> {
  await workerOf(page)
  const isNew = page.waitForEvent('load')
  await submit(page, '/share', files)
  await isNew
  expect(new URL(page.url()).pathname).toBe('/')
  await shownIn(page).waitFor()
  if (!button) return
  await shownIn(page).getByRole('button', { name: button }).click()
  await judged(page)
}

/** Posts an image to the share target from the page of another site. */
async function shareFrom(page: Page, address: string): Promise<void> {
  await page.goto(address)
  const isNew = page.waitForEvent('load')
  await submit(page, `${inject('baseUrl')}/share`, await pickedImages(1))
  await isNew
}

function submit(page: Page, action: string, files: readonly (PickedFile | AnyFile)[]): Promise<void> {
  return page.evaluate(
    ([action, sent]) => {
      const transfer = new DataTransfer()
      const mebibyte = new Uint8Array(2 ** 20)
      for (const { name, bytes } of sent) {
        const parts = Array.isArray(bytes)
          ? [new Uint8Array(bytes)]
          : [...Array.from({ length: Math.floor(bytes / 2 ** 20) }, () => mebibyte), new Uint8Array(bytes % 2 ** 20)]
        transfer.items.add(new File(parts, name, { type: 'image/jpeg' }))
      }
      const form = document.createElement('form')
      form.method = 'post'
      form.action = action
      form.enctype = 'multipart/form-data'
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'img', multiple: true })
      input.files = transfer.files
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    [action, files.map((file) => ('buffer' in file ? { name: file.name, bytes: [...file.buffer] } : file))] as const,
  )
}

/** Returns how many shared files are stored in the browser. Works on any page of the service. */
function waitingOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const names = await caches.keys()
    const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return all.flat().length
  })
}
