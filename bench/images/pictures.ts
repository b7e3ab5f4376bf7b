// Creates the measured files, once, in generated/bench-pictures.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Sharp } from 'sharp'
import sharp from 'sharp'
import { gridOf } from 'tintype-codec/test/pixels/made-grid'
import { GENERATED } from '../../tools/shared/when-changed.ts'
import { makeDrawing, makePage, makePhoto, SIZES } from './photo.ts'

const FOLDER = path.join(GENERATED, 'bench-pictures')

const AVIF = { quality: 60, effort: 0, chromaSubsampling: '4:2:0' }
const TILE_PX = 1024

interface Kind {
  /** Noise of the photograph. PNG and GIF would store it, and exceed the limit of an upload. */
  grain?: number
  /** Draws the pixels, instead of the photograph. */
  draw?: (width: number, height: number) => Buffer
  encode: (image: Sharp, size: [number, number]) => Sharp | Promise<Uint8Array>
}

const KINDS: Record<string, Kind> = {
  jpeg: { grain: 6, encode: (image) => image.jpeg({ quality: 85, optimiseCoding: true }) },
  'jpeg-progressive': { grain: 6, encode: (image) => image.jpeg({ quality: 85, progressive: true }) },
  png: { grain: 0, encode: (image) => image.png({ compressionLevel: 6 }) },
  'png-flat': { draw: makeDrawing, encode: (image) => image.png({ compressionLevel: 6 }) },
  'png-text': { draw: makePage, encode: (image) => image.png({ compressionLevel: 6 }) },
  gif: { grain: 0, encode: (image) => image.gif({ effort: 1 }) },
  'gif-flat': { draw: makeDrawing, encode: (image) => image.gif({ effort: 1 }) },
  webp: { grain: 6, encode: (image) => image.webp({ quality: 80, effort: 2 }) },
  avif: { grain: 6, encode: (image) => image.avif(AVIF) },
  'avif-10': { grain: 6, encode: (image) => image.avif({ ...AVIF, bitdepth: 10 }) },
  'avif-10-444': { grain: 6, encode: (image) => image.avif({ ...AVIF, bitdepth: 10, chromaSubsampling: '4:4:4' }) },
  'avif-10-grid': { grain: 6, encode: grid },
}

/** An AVIF of 10 bits in tiles, few enough for other decoders. */
async function grid(image: Sharp, [width, height]: [number, number]) {
  const [columns, rows] = [Math.ceil(width / TILE_PX), Math.ceil(height / TILE_PX)]
  const extended = image.extend({
    right: columns * TILE_PX - width,
    bottom: rows * TILE_PX - height,
    extendWith: 'copy',
  })
  const raw = await extended.raw().toBuffer({ resolveWithObject: true })
  const tiles = []
  for (let i = 0; i < columns * rows; i++) {
    const [left, top] = [(i % columns) * TILE_PX, Math.floor(i / columns) * TILE_PX]
    const tile = sharp(raw.data, { raw: raw.info }).extract({ left, top, width: TILE_PX, height: TILE_PX })
    tiles.push(new Uint8Array(await tile.avif({ ...AVIF, bitdepth: 10 }).toBuffer()))
  }
  return gridOf({ columns, rows, width, height, tiles, tile: { width: TILE_PX, height: TILE_PX }, depth: 10 })
}

/** Returns the path of the image of this kind and size. Creates it if it is missing. */
export async function imageFile(kind: string, megapixels: string | number) {
  const file = path.join(FOLDER, `${megapixels}.${kind}`)
  if (existsSync(file)) return file
  const [size, format] = [SIZES[megapixels], KINDS[kind]]
  if (size === undefined || format === undefined) throw new Error(`there is no ${kind} of ${megapixels} megapixels`)
  const [width, height] = size
  const { grain = 0, draw, encode } = format
  const pixels = draw ? draw(width, height) : makePhoto(width, height, grain)
  mkdirSync(FOLDER, { recursive: true })
  const made = await encode(sharp(pixels, { raw: { width, height, channels: 3 } }), size)
  writeFileSync(file, made instanceof Uint8Array ? made : await made.toBuffer())
  return file
}
