import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import sharp from 'sharp'
import { LIGHTS, landscape } from './landscape.ts'

/** An image as a camera names it. */
export interface ShownImage {
  name: string
  bytes: Buffer
}

/** The languages of `npm run tintype -- screenshots`; undefined in all other runs. */
export const SCREENSHOT_LANGUAGES = process.env.SCREENSHOT_LANGUAGES?.split(',')

/** The folder of photographs to show. */
const PHOTOS = process.env.SCREENSHOT_PHOTOS

const PHOTO_EXTENSIONS = ['.avif', '.gif', '.jpeg', '.jpg', '.png', '.webp']
const TIMES = Object.keys(LIGHTS)
/** Images of tests are small. Those to look at are at least this wide or high. */
const MIN_PX = 1200

const photos =
  PHOTOS === undefined
    ? []
    : readdirSync(PHOTOS)
        .filter((name) => PHOTO_EXTENSIONS.includes(extname(name).toLowerCase()))
        .sort()

/** Returns an image to look at: a photograph of the folder, or a landscape of this shape. Equal seeds return the same one. */
export async function shownImage(width: number, height: number, seed: number): Promise<ShownImage> {
  const photo = photos[seed % photos.length]
  if (PHOTOS !== undefined && photo !== undefined) return { name: photo, bytes: readFileSync(join(PHOTOS, photo)) }
  const scale = Math.max(1, MIN_PX / Math.max(width, height))
  const shape = { width: Math.round(width * scale), height: Math.round(height * scale), channels: 3 as const }
  const { data } = landscape(shape.width, shape.height, timeOf(seed), seed)
  const bytes = await sharp(data, { raw: shape }).jpeg({ quality: 85 }).toBuffer()
  return { name: `IMG_${2041 + 7 * seed}.jpg`, bytes }
}

function timeOf(seed: number): keyof typeof LIGHTS {
  const isTime = (name: string | undefined): name is keyof typeof LIGHTS => name !== undefined && name in LIGHTS
  const time = TIMES[seed % TIMES.length]
  return isTime(time) ? time : 'noon'
}
