// The files that are measured, made once into generated/bench-pictures.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { GENERATED } from '../scripts/when-changed.mjs'
import { makePhoto, SIZES } from './photo.mjs'

const FOLDER = path.join(GENERATED, 'bench-pictures')

// PNG keeps grain as it is, and a photograph of 48 megapixels with grain is no file that anybody may upload.
/** @typedef {import('sharp').Sharp} Sharp */

/** @type {Record<string, { grain: number, encode: (image: Sharp) => Sharp }>} */
const KINDS = {
  jpeg: { grain: 6, encode: (image) => image.jpeg({ quality: 85, optimiseCoding: true }) },
  'jpeg-progressive': { grain: 6, encode: (image) => image.jpeg({ quality: 85, progressive: true }) },
  png: { grain: 0, encode: (image) => image.png({ compressionLevel: 6 }) },
  gif: { grain: 0, encode: (image) => image.gif({ effort: 1 }) },
  webp: { grain: 6, encode: (image) => image.webp({ quality: 80, effort: 2 }) },
  avif: { grain: 6, encode: (image) => image.avif({ quality: 60, effort: 0, chromaSubsampling: '4:2:0' }) },
}

/**
 * The path of the picture of this kind and size, made if it is not there.
 * @param {string} kind
 * @param {string | number} megapixels
 */
export async function picture(kind, megapixels) {
  const file = path.join(FOLDER, `${megapixels}.${kind}`)
  if (existsSync(file)) return file
  const [size, format] = [SIZES[megapixels], KINDS[kind]]
  if (size === undefined || format === undefined) throw new Error(`there is no ${kind} of ${megapixels} megapixels`)
  const [width, height] = size
  const { grain, encode } = format
  const photo = makePhoto(width, height, grain)
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(file, await encode(sharp(photo, { raw: { width, height, channels: 3 } })).toBuffer())
  return file
}
