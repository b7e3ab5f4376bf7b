import { deflateSync } from 'node:zlib'
import { ihdrChunk, pngChunk, pngOfChunks } from '../../test/support/png.ts'
import { below, seededRandom } from '../../test/support/random.ts'
import { riffChunk } from '../../test/support/webp.ts'
import { bytesBE, bytesLE, concat, textBytes } from '../src/bytes.ts'
import { webpChunks } from '../src/container/webp-chunks.ts'
import { orientationExif } from '../src/exif.ts'
import type { Orientation, Size } from '../src/format.ts'
import { blankRaster, type Raster } from '../src/pixels/raster.ts'
import { probe } from '../src/probe.ts'
import type { ProbedImage } from '../src/probed-image.ts'
import { encodePng } from './encode-png.ts'
import { encodeJpeg, encodeLossyWebp } from './jsquash.ts'

/** Images for tests, made from colours. */

const COLOURS: Record<string, readonly [number, number, number, number]> = {
  R: [255, 0, 0, 255],
  G: [0, 255, 0, 255],
  B: [0, 0, 255, 255],
  W: [255, 255, 255, 255],
  K: [0, 0, 0, 255],
  ' ': [0, 0, 0, 0],
}

/** A raster of tiles: each letter of a row a colour, a blank see-through. All tiles are of one size. */
export function tiles(rows: readonly string[], { width, height }: Size): Raster {
  const raster = blankRaster({ width, height })
  for (let y = 0; y < height; y++) {
    const row = rows[Math.floor((y * rows.length) / height)] ?? ''
    for (let x = 0; x < width; x++) {
      const colour = COLOURS[row[Math.floor((x * row.length) / width)] ?? '']
      if (!colour) throw new Error(`a tile must be one of ${Object.keys(COLOURS)}: received "${row}"`)
      raster.rgba.set(colour, (y * width + x) * 4)
    }
  }
  return raster
}

/** The letters of the colours in the middle of each tile: what `tiles` was given, if nothing went wrong. */
export function readTiles({ rgba, width, height }: Raster, columns: number, rows: number): string[] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => {
      const x = Math.floor(((column + 0.5) * width) / columns)
      const y = Math.floor(((row + 0.5) * height) / rows)
      return letterOf(rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4))
    }).join(''),
  )
}

/** Lossy codecs change colours a little. A pixel unlike every colour is `?`. */
function letterOf(pixel: Uint8ClampedArray): string {
  const [, , , alpha = 0] = pixel
  if (alpha < 16) return ' '
  const closest = Object.entries(COLOURS).find(([, colour]) =>
    colour.every((sample, i) => Math.abs(sample - (pixel[i] ?? 0)) <= 32),
  )
  return closest ? closest[0] : '?'
}

/** An image that no codec can make small. Seeded: the same numbers each time. */
export function noise(size: Size, seed = 1): Raster {
  const raster = blankRaster(size)
  const random = seededRandom(seed)
  for (let i = 0; i < raster.rgba.length; i++) raster.rgba[i] = i % 4 === 3 ? 255 : below(256, random)
  return raster
}

/** A file with its facts. Throws when it is no image. */
export function image(bytes: Uint8Array): ProbedImage {
  const facts = probe(bytes)
  if (!facts) throw new Error('the test made a file of no known format')
  return { bytes, facts }
}

export function png(raster: Raster): ProbedImage {
  return image(encodePng(raster))
}

export interface PngParts {
  size: readonly number[]
  /** Bit depth, colour type, interlace method. */
  header: readonly number[]
  /** Those before the pixels. */
  chunks?: readonly (readonly [type: string, body: Uint8Array])[]
  /** Filtered rows. */
  data: Uint8Array
}

/** A PNG put together from its parts. */
export function pngFile({ size: [width = 0, height = 0], header, chunks = [], data }: PngParts): Uint8Array {
  const [depth = 0, colourType = 0, interlace = 0] = header
  return pngOfChunks([
    ihdrChunk({ width, height, depth, colourType, methods: [0, 0, interlace] }),
    ...chunks.map(([type, body]) => pngChunk(type, body)),
    pngChunk('IDAT', deflateSync(data)),
    pngChunk('IEND'),
  ])
}

interface Making {
  quality?: number
  orientation?: Orientation
}

/** A JPEG, with an EXIF block when an orientation is given. */
export async function jpeg(raster: Raster, { quality = 90, orientation }: Making = {}): Promise<ProbedImage> {
  const bytes = await encodeJpeg(raster, quality)
  if (!orientation) return image(bytes)
  const exif = concat([textBytes('Exif\0\0'), orientationExif(orientation)])
  const segment = concat([Uint8Array.of(0xff, 0xe1), bytesBE(exif.length + 2, 2), exif])
  return image(concat([bytes.subarray(0, 2), segment, bytes.subarray(2)]))
}

/** A lossy WebP, with an EXIF chunk when an orientation is given. */
export async function webp(raster: Raster, { quality = 90, orientation }: Making = {}): Promise<ProbedImage> {
  const bytes = await encodeLossyWebp(raster, quality)
  if (!orientation) return image(bytes)
  const pixels = pixelChunks(bytes)
  const flags = 0x08 | (pixels.length > 1 ? 0x10 : 0)
  return image(riff([extendedHeader(raster, flags), ...pixels, riffChunk('EXIF', orientationExif(orientation))]))
}

/** An animated WebP. The offsets of its frames on the canvas are even. */
export async function animatedWebp(
  canvas: Size,
  frames: readonly { raster: Raster; left: number; top: number }[],
): Promise<ProbedImage> {
  const parts: Uint8Array[] = []
  for (const { raster, left, top } of frames) {
    const header = [left / 2, top / 2, raster.width - 1, raster.height - 1, 100].map((value) => bytesLE(value, 3))
    const pixels = pixelChunks(await encodeLossyWebp(raster, 90))
    parts.push(riffChunk('ANMF', concat([...header, Uint8Array.of(0), ...pixels])))
  }
  return image(riff([extendedHeader(canvas, 0x12), riffChunk('ANIM', new Uint8Array(6)), ...parts]))
}

function pixelChunks(webp: Uint8Array): Uint8Array[] {
  return [...webpChunks(webp)].filter(({ type }) => type !== 'VP8X').map(({ start, end }) => webp.subarray(start, end))
}

function extendedHeader({ width, height }: Size, flags: number): Uint8Array {
  return riffChunk('VP8X', concat([bytesLE(flags, 4), bytesLE(width - 1, 3), bytesLE(height - 1, 3)]))
}

function riff(chunks: Uint8Array[]): Uint8Array {
  return riffChunk('RIFF', concat([textBytes('WEBP'), ...chunks]))
}

/** A frame of a GIF: its palette indices row by row from the top, and what is special about it. */
interface GifFrame extends Size {
  indices: readonly number[]
  left?: number
  top?: number
  interlaced?: boolean
  transparentIndex?: number
  /** So many bytes of its compressed data are missing at the end. */
  missingBytes?: number
}

/** A GIF of the colours R, G, B and W, which have the indices 0 to 3. */
export function gif(canvas: Size, frames: readonly GifFrame[]): Uint8Array {
  const palette = ['R', 'G', 'B', 'W'].flatMap((letter) => COLOURS[letter]?.slice(0, 3) ?? [])
  return concat([
    textBytes('GIF89a'),
    bytesLE(canvas.width, 2),
    bytesLE(canvas.height, 2),
    Uint8Array.of(0x81, 0, 0, ...palette),
    ...frames.flatMap(gifFrame),
    Uint8Array.of(0x3b),
  ])
}

function gifFrame(frame: GifFrame): Uint8Array[] {
  const { left = 0, top = 0, width, height, indices, interlaced = false, transparentIndex, missingBytes = 0 } = frame
  const rows = Array.from({ length: height }, (_, y) => indices.slice(y * width, (y + 1) * width))
  const every = (step: number, first: number) => rows.filter((_, y) => y % step === first)
  const inOrder = interlaced ? [every(8, 0), every(8, 4), every(4, 2), every(2, 1)].flat() : rows
  const data = lzwLiterals(inOrder.flat())
  return [
    Uint8Array.from(transparentIndex === undefined ? [] : [0x21, 0xf9, 4, 1, 0, 0, transparentIndex, 0]),
    Uint8Array.of(0x2c),
    ...[left, top, width, height].map((value) => bytesLE(value, 2)),
    Uint8Array.of(interlaced ? 0x40 : 0, 2),
    ...subBlocks(data.subarray(0, data.length - missingBytes)),
  ]
}

/** Codes of three bits: a clear code before every second index keeps them from growing. */
function lzwLiterals(indices: readonly number[]): Uint8Array {
  const [clear, end] = [4, 5]
  const codes = [...indices.flatMap((index, i) => (i % 2 === 0 ? [clear, index] : [index])), end]
  const bytes = new Uint8Array(Math.ceil((codes.length * 3) / 8))
  codes.forEach((code, i) => {
    for (let bit = 0; bit < 3; bit++) {
      const at = i * 3 + bit
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (((code >> bit) & 1) << (at & 7))
    }
  })
  return bytes
}

function subBlocks(data: Uint8Array): Uint8Array[] {
  const blocks: Uint8Array[] = []
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255)
    blocks.push(Uint8Array.of(block.length), block)
  }
  return [...blocks, Uint8Array.of(0)]
}

/**
 * Files that only an encoder of another project makes: 32 x 24 pixels, the tiles RG over BW, made with sharp 0.35.5.
 * In `avifAlpha` the tile W is see-through. The CMYK JPEG has RW over WK, colours that any conversion to RGB preserves.
 */
const MADE = {
  cmykJpeg:
    '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAGBAUGBQQGBgUGBwcGCAoQCgoJCQoUDg8MEBcUGBgXFBYWGh0lHxobIxwWFiAsICMmJykqKRkfLTAtKDAlKCko/8AAFAgAGAAgBEMRAE0RAFkRAEsRAP/EABoAAQEAAgMAAAAAAAAAAAAAAAAIBAkFBgf/xAAeEAEAAQMFAQAAAAAAAAAAAAAAZhil4xUXY6Kk4f/aAA4EQwBNAFkASwAAPwCqUqJUVSADao2qAAJVpGm1pzJVpGm1pzAUjTa05ikabWnMMDUeLt8VU79vrHfdjSrVzCbthNR4u3wN9Y77sZVzCbthZ49sVUAOBETtVYA//9k=',
  avif: 'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAADcAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgQAMAAAAABRpc3BlAAAAAAAAACAAAAAYAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAA/bWRhdBIACgkYET92iAhoNCAyKEXh4eGIYAAZQAAAIM0NsphfywDctzMsekfYTkX+stOQmPfdIbbw/2A=',
  avif10Bit:
    'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAAA+gABAAAAAAAAADoAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAAAAA4aXBjbwAAAAxhdjFDgQBMAAAAABRpc3BlAAAAAAAAACAAAAAYAAAAEHBpeGkAAAAAAwoKCgAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAABCbWRhdBIACgkYET92qAhoNCAyK0Xh4eGIYAAZQAAAIM0Nrsw/qIRRAjyjU9NlfYTkX9S1eWQvOG+TMbbw/2A=',
  avifAlpha:
    'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAAXBtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAADRpbG9jAAAAAERAAAIAAQAAAAABlAABAAAAAAAAADUAAgAAAAAByQABAAAAAAAAACAAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABhdjAxAAAAABVpbmZlAgAAAAACAABhdjAxAAAAAA5waXRtAAAAAAABAAAAr2lwcnAAAACKaXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAACAAAAAYAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQAcAAAAAA5waXhpAAAAAAEIAAAAOGF1eEMAAAAAdXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQAAAAAdaXBtYQAAAAAAAAACAAEDgQIDAAIEhAIFhgAAABppcmVmAAAAAAAAAA5hdXhsAAIAAQABAAAAXW1kYXQSAAoIOBE/dpAQ0GkyJ0XgmMEwAAygAAAQzQ2ymF/LANy3Myx6RsMSYRjw25IldF+TmRXH4xIACgUYET92FTIVFkAAAUC03FVhP+E/EgQ1u4iw2B0c',
}

export function madeElsewhere(name: keyof typeof MADE): ProbedImage {
  return image(Uint8Array.from(atob(MADE[name]), (character) => character.charCodeAt(0)))
}
