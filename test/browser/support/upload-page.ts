import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { jpegOf } from './content.ts'

/** A file as a picker returns it. */
export interface PickedFile {
  name: string
  mimeType: string
  buffer: Buffer
}

const LARGE_BYTES = 1_000_000

/** A file that is no image, a broken one, and one that is a byte too large. */
export const TEXT: PickedFile = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }
export const BROKEN: PickedFile = {
  name: 'broken.png',
  mimeType: 'image/png',
  buffer: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
}

/** Returns small images, named 1.jpg and so on. */
export function pickedImages(count: number): Promise<PickedFile[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      name: `${index + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await jpegOf(300, 200, index + 1),
    })),
  )
}

/** Returns a BMP of one red pixel (BITMAPINFOHEADER, 24 bits). */
export function bmp(): Buffer {
  const [size, offset, header] = [58, 54, 40]
  const bytes = Buffer.alloc(size)
  bytes.write('BM')
  bytes.writeUInt32LE(size, 2)
  bytes.writeUInt32LE(offset, 10)
  bytes.writeUInt32LE(header, 14)
  bytes.writeInt32LE(1, 18)
  bytes.writeInt32LE(1, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  bytes.writeUInt32LE(4, 34)
  bytes.writeUInt8(255, offset + 2)
  return bytes
}

/** Returns a PNG with broken pixels, which only a decoder can detect. */
export async function brokenInside(): Promise<PickedFile> {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const at = png.indexOf('IDAT') + 4
  return { name: 'broken-inside.png', mimeType: 'image/png', buffer: Buffer.from(png).fill(0xff, at, at + 40) }
}

/** Chooses files as with the picker, and waits until they are checked. */
export async function choose(page: Page, files: readonly PickedFile[]): Promise<void> {
  await setFiles(page.locator('#img'), files)
  await judged(page)
}

/**
 * Chooses files by an input. Large files are picked from a folder, because bytes would pass through the browser's
 * protocol and the page's script.
 */
export async function setFiles(input: Locator, files: readonly PickedFile[]): Promise<void> {
  if (files.every(({ buffer }) => buffer.length < LARGE_BYTES)) return input.setInputFiles([...files])
  const folder = await mkdtemp(join(tmpdir(), 'tintype-picked-'))
  const paths = files.map(({ name }) => join(folder, name))
  await Promise.all(files.map(({ buffer }, index) => writeFile(paths[index] ?? '', buffer)))
  await input.setInputFiles(paths)
}

/** Waits until all collected files are in the list or in the notice. */
export async function judged(page: Page): Promise<void> {
  await page.locator('#upload[aria-busy=false]').waitFor()
}

export async function start(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Upload \d+ picture/ }).click()
}

/** Waits for the results. */
export async function resultsOf(page: Page): Promise<Locator> {
  const results = page.getByRole('region', { name: 'Ready to share' })
  await results.waitFor()
  return results
}

/** Returns the links of all uploaded images, from their fields. */
export function resultLinks(page: Page): Promise<string[]> {
  return page
    .locator('#result-list input')
    .evaluateAll((fields) => fields.map((field) => (field instanceof HTMLInputElement ? field.value : '')))
}

/** Returns the address of the gallery at the top of the results. */
export async function galleryAddress(page: Page): Promise<string> {
  return (await page.locator('.lead a.open').getAttribute('href')) ?? ''
}

/** Opens the gallery at the top of the results. Returns the names of its images. */
export async function imageNamesIn(page: Page): Promise<string[]> {
  await page.goto(await galleryAddress(page))
  return page
    .locator('.images img')
    .evaluateAll((all) => all.map((image) => image.getAttribute('alt')?.replace(/^\d+_/, '') ?? ''))
}

/** Returns the card of a chosen file. */
export function cardOf(page: Page, name: string): Locator {
  return page.locator('#files > li').filter({ has: page.getByText(name, { exact: true }) })
}
