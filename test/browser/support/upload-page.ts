import type { Locator, Page } from 'playwright-core'
import { jpegOf } from './content.ts'

/** A file as a picker gives it. */
export interface PickedFile {
  name: string
  mimeType: string
  buffer: Buffer
}

/** Files that are no picture, a broken one, and one byte too many. */
export const TEXT: PickedFile = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }
export const BROKEN: PickedFile = {
  name: 'broken.png',
  mimeType: 'image/png',
  buffer: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
}

/** Small pictures, named 1.jpg and so on. */
export function pickedPictures(count: number): Promise<PickedFile[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `${index + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await jpegOf(300, 200, index + 1),
    })),
  )
}

/** Chooses files as with the picker. */
export async function choose(page: Page, files: readonly PickedFile[]): Promise<void> {
  await page.locator('#img').setInputFiles([...files])
}

/** Presses the button that starts the upload. */
export async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Upload \d+ picture/ }).click()
}

/** Waits for the results. */
export async function resultsOf(page: Page): Promise<Locator> {
  const results = page.getByRole('region', { name: 'Ready to share' })
  await results.waitFor()
  return results
}

/** The links of all uploaded pictures, from the field for each. */
export function resultLinks(page: Page): Promise<string[]> {
  return page
    .locator('#result-list input')
    .evaluateAll((fields) => fields.map((field) => (field instanceof HTMLInputElement ? field.value : '')))
}

/** The card of a chosen file. */
export function cardOf(page: Page, name: string): Locator {
  return page.locator('#files > li').filter({ has: page.getByText(name, { exact: true }) })
}

/** Ways to make a page's connection slow, to cut it and to bring it back, in the middle of whatever is under way. */
export interface Network {
  slow: (bytesPerSecond: number) => Promise<void>
  cut: () => Promise<void>
  restore: () => Promise<void>
}

/** Takes hold of a page's connection. */
export async function networkOf(page: Page): Promise<Network> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const set = async (offline: boolean, uploadThroughput: number) => {
    await session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  }
  return {
    slow: (bytesPerSecond) => set(false, bytesPerSecond),
    cut: () => set(true, -1),
    restore: () => set(false, -1),
  }
}

/** What a screen reader is told from now on. */
export async function listenToAnnouncements(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const told: string[] = []
    Object.assign(window, { told })
    const region = document.querySelector('#announcement')
    if (region) {
      new MutationObserver(() => told.push(region.textContent ?? '')).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      })
    }
  })
  return () => page.evaluate(() => ('told' in window && Array.isArray(window.told) ? window.told.map(String) : []))
}
