import sharp from 'sharp'
import { photo, type TestImage } from '../../formats/jpeg/decoder/images.ts'

/** Recipe of a made image. */
export interface Wish {
  width: number
  height: number
  format?: 'jpeg' | 'png' | 'gif' | 'webp' | 'avif'
  /** Options of sharp for the format. */
  options?: object
  orientation?: number
  /** A round hole with a soft edge. */
  alpha?: boolean
  /** One component. */
  grey?: boolean
  seed?: number
}

const madeFiles = new Map<string, Promise<Uint8Array>>()

/** A file of an image like a photograph: one object for all that wish the same. */
export function made(wish: Wish): Promise<Uint8Array> {
  const key = JSON.stringify(wish)
  const file = madeFiles.get(key) ?? make(wish)
  madeFiles.set(key, file)
  return file
}

async function make(wish: Wish): Promise<Uint8Array> {
  const { width, height, format = 'jpeg', options = {}, orientation = 1, alpha = false, grey = false, seed = 1 } = wish
  const { bytes } = photo(width, height, seed)
  const rgba = Buffer.alloc(width * height * 4)
  for (let i = 0; i < width * height; i++) {
    for (let c = 0; c < 3; c++) rgba[i * 4 + c] = bytes[i * 3 + c] ?? 0
    rgba[i * 4 + 3] = alpha ? opacity(i % width, Math.floor(i / width), width, height) : 255
  }
  const image = sharp(rgba, { raw: { width, height, channels: 4 } })
  const opaque = alpha ? image : image.removeAlpha()
  const coloured = grey ? opaque.toColourspace('b-w') : opaque
  const quality = { jpeg: { quality: 90 }, webp: { quality: 90 }, avif: { quality: 80, effort: 0 }, png: {}, gif: {} }[
    format
  ]
  const file = await coloured
    .toFormat(format, { ...quality, ...options })
    .withMetadata({ orientation })
    .toBuffer()
  // A copy: a Buffer's slices are views of it.
  return new Uint8Array(file)
}

const TILE_PX = 500
let tile: TestImage | undefined

/** A large JPEG: copies of one image side by side and below each other. */
export async function large(wish: Pick<Wish, 'width' | 'height' | 'options' | 'orientation'>): Promise<Uint8Array> {
  const { width, height, options = {}, orientation = 1 } = wish
  tile ??= photo(TILE_PX, TILE_PX, 6)
  const rows = Array.from({ length: TILE_PX }, (_, y) => {
    const row = tile?.bytes.subarray(y * TILE_PX * 3, (y + 1) * TILE_PX * 3) ?? []
    return Buffer.alloc(width * 3, row)
  })
  const pixels = Buffer.concat(Array.from({ length: height }, (_, y) => rows[y % TILE_PX] ?? Buffer.alloc(0)))
  const file = await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 85, ...options })
    .withMetadata({ orientation })
    .toBuffer()
  return new Uint8Array(file)
}

function opacity(x: number, y: number, width: number, height: number): number {
  const distance = Math.hypot(x / width - 0.4, y / height - 0.6) * 4
  return Math.max(0, Math.min(255, Math.round((distance - 0.5) * 255)))
}
