import type { Page } from 'playwright-core'
import { inject } from 'vitest'
import { sharedApi } from '../../contract/support/api.ts'
import { avif, encoder, gif, jpeg, photo, plain, png, webp } from '../../contract/support/images.ts'
import { inParallel } from '../../contract/support/in-parallel.ts'
import { type Fields, file } from '../../contract/support/multipart-body.ts'
import type { CreatedGallery, Uploaded } from '../../contract/support/responses.ts'
import * as steps from '../../contract/support/steps.ts'
import { SCREENSHOT_LANGUAGES, shownImage } from './shown-images.ts'

/** The service, whose links use the address that the browser opens. */
export const api = sharedApi()
const here = { host: new URL(inject('baseUrl')).host }

const PAINTED_PX = 320
/** The number of colours among the images of a gallery. */
const COLOURS = 7

/** Returns an image of this size with realistic content, drawn once. A large one is a small one, enlarged. */
export const jpegOf = drawnOnce(async (width: number, height: number, seed = 1): Promise<Buffer> => {
  if (SCREENSHOT_LANGUAGES) return (await shownImage(width, height, seed)).bytes
  const scale = Math.min(1, PAINTED_PX / Math.max(width, height))
  const small = photo(Math.ceil(width * scale), Math.ceil(height * scale), 24, seed)
  return encoder(small).resize(width, height, { fit: 'fill' }).jpeg({ quality: 90 }).toBuffer()
})

const plainPng = drawnOnce((width: number, height: number, index: number) => png(plain(width, height, colourOf(index))))

/** Uploads an image with a private link, by default of 900 x 600 pixels. */
export async function uploadPhoto(fields: Fields = {}): Promise<Uploaded> {
  const img = fields.img ?? file('Beach Day.jpg', await jpegOf(900, 600))
  return steps.uploadImage(api, { img, include_manage_url: '1', ...fields }, here)
}

/**
 * Creates a finalized gallery with its private link, and an image for each pair of width and height.
 *
 * Images have the order of their ids (D27), so the images of a short gallery, whose layout matters, are uploaded one by
 * one.
 */
export async function galleryOf(
  sizes: readonly (readonly [width: number, height: number])[],
  { name = 'Autumn', fields = {} }: { name?: string; fields?: Fields } = {},
): Promise<{ gallery: CreatedGallery; images: Uploaded[] }> {
  const gallery = await steps.createGallery(api, name, here)
  const uploaded = await inParallel(
    [...sizes.entries()],
    sizes.length > 50 ? 3 : 1,
    async ([index, [width, height]]) => {
      const img = await imageOf(width, height, index)
      return uploadPhoto({ img, ...gallery.fields, ...fields })
    },
  )
  // They have the order of their ids (D27).
  const images = uploaded.toSorted((a, b) => idOf(a) - idOf(b))
  const { status, text } = await api.finalize(gallery.hash, gallery.uploadToken, here)
  if (status !== 200) throw new Error(`the gallery is not finalized: ${text}`)
  return { gallery, images }
}

/** Returns a file of a gallery: of one colour, except for screenshots. */
async function imageOf(width: number, height: number, index: number) {
  if (!SCREENSHOT_LANGUAGES) return file(`picture ${index + 1}.png`, await plainPng(width, height, index % COLOURS))
  const { name, bytes } = await shownImage(width, height, index)
  return file(name, bytes)
}

function idOf({ showUrl }: Uploaded): number {
  return Number(/\/(\d+)_/.exec(showUrl)?.[1])
}

/** An image and a gallery of three, for tests that do not change them. */
export const sharedImage = once(() => uploadPhoto())
export const sharedGallery = once(() =>
  galleryOf([
    [300, 200],
    [200, 300],
    [250, 250],
  ]),
)

/** Returns a function that always returns the result of its first call. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Returns files of the five formats, named after them. */
export async function filesOfAllFormats(): Promise<{ name: string; mimeType: string; buffer: Buffer }[]> {
  const pixels = photo(320, 240)
  return [
    { name: 'one.jpg', mimeType: 'image/jpeg', buffer: await jpeg(pixels) },
    { name: 'two.png', mimeType: 'image/png', buffer: await png(pixels) },
    { name: 'three.gif', mimeType: 'image/gif', buffer: await gif(pixels) },
    { name: 'four.webp', mimeType: 'image/webp', buffer: await webp(pixels) },
    { name: 'five.avif', mimeType: 'image/avif', buffer: await avif(pixels) },
  ]
}

/** Returns two photographs, and between them files that are refused: a damaged one, and a text. */
export async function filesWithRefusals(): Promise<{ name: string; mimeType: string; buffer: Buffer }[]> {
  const photo = await jpegOf(600, 400)
  const files = {
    'a.jpg': photo,
    'cut <b>.jpg': photo.subarray(0, 60),
    'notes.jpg': Buffer.from('notes'),
    'd.jpg': photo,
  }
  return Object.entries(files).map(([name, buffer]) => ({ name, mimeType: 'image/jpeg', buffer }))
}

/** Returns a JPEG of exactly this many bytes, padded by comments (T.81, B.2.4.5) and drawn once. */
export const jpegOfBytes = drawnOnce(async (bytes: number): Promise<Buffer> => {
  const image = await encoder(photo(900, 600, 40))
    .jpeg({ quality: 95 })
    .toBuffer()
  const parts = [image.subarray(0, 2)]
  for (let missing = bytes - image.length; missing > 0; ) {
    const size = Math.min(missing, 65_537) - (missing > 65_537 && missing < 65_541 ? 4 : 0)
    const comment = Buffer.alloc(size, 0x20)
    comment.writeUInt16BE(0xfffe, 0)
    comment.writeUInt16BE(size - 2, 2)
    parts.push(comment)
    missing -= size
  }
  return Buffer.concat([...parts, image.subarray(2)])
})

/** Caches drawn images, because drawing costs more than showing. */
function drawnOnce<T extends readonly (number | undefined)[]>(
  draw: (...numbers: T) => Promise<Buffer>,
): (...numbers: T) => Promise<Buffer> {
  const drawn = new Map<string, Promise<Buffer>>()
  return (...numbers) => {
    const key = numbers.join()
    const image = drawn.get(key) ?? draw(...numbers)
    drawn.set(key, image)
    return image
  }
}

function colourOf(index: number): [number, number, number] {
  return [60 + ((index * 67) % 150), 60 + ((index * 41) % 150), 60 + ((index * 97) % 150)]
}

/** Returns the links of the images on a gallery page, in order. */
export function linksOf(page: Page): Promise<string[]> {
  return page.locator('.images a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
}
