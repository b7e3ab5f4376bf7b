// Three ways to do the same jobs: this project, the @jsquash packages called as their documentation does, and native sharp.
import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { GENERATED } from '../scripts/when-changed.mjs'

/** @typedef {{ edge: number, quality: number }} Job */
/** @typedef {(bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>} Encode */

/**
 * What is asked for: the longest edge and the WebP quality.
 * @type {Record<string, Job>}
 */
export const JOBS = {
  thumbnail: { edge: 200, quality: 80 },
  optimize: { edge: 3840, quality: 90 },
}

/** Where each @jsquash package has its decoder. */
const DECODERS = /** @type {Record<string, string>} */ ({
  jpeg: 'codec/dec/mozjpeg_dec.wasm',
  png: 'codec/pkg/squoosh_png_bg.wasm',
  webp: 'codec/dec/webp_dec.wasm',
  avif: 'codec/dec/avif_dec.wasm',
})

/**
 * Each gives a function from a file's bytes to the bytes of the WebP.
 * @type {Record<string, (job: Job, kind: string) => Promise<Encode>>}
 */
export const CONTESTANTS = {
  async tintype({ edge, quality }) {
    const { importBundled } = await import('./bundle.mjs')
    const folder = path.join(GENERATED, 'bench')
    mkdirSync(folder, { recursive: true })
    const { encodeWebp, probe } = await importBundled(
      path.join(import.meta.dirname, 'tintype.ts'),
      path.join(folder, `tintype.${process.pid}.mjs`),
    )
    return async (bytes) =>
      (await encodeWebp({ bytes, facts: probe(bytes) }, { width: edge, height: edge }, quality)).bytes
  },

  async jsquash({ edge, quality }, kind) {
    if (!('ImageData' in globalThis)) Object.assign(globalThis, { ImageData: PlainImageData })
    const [format = ''] = kind.split('-')
    const decoder = await import(`@jsquash/${format}/decode.js`)
    await decoder.init(compile(`@jsquash/${format}/${DECODERS[format]}`))
    const { default: resize, initResize } = await import('@jsquash/resize')
    await initResize(compile('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'))
    const encoder = await import('@jsquash/webp/encode.js')
    await encoder.init(compile('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))
    return async (bytes) => {
      const image = await decoder.default(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
      const scale = Math.min(edge / Math.max(image.width, image.height), 1)
      const size = { width: Math.floor(image.width * scale), height: Math.floor(image.height * scale) }
      return new Uint8Array(await encoder.default(scale < 1 ? await resize(image, size) : image, { quality }))
    }
  },

  async sharp({ edge, quality }) {
    const { default: sharp } = await import('sharp')
    sharp.concurrency(1)
    sharp.cache(false)
    return (bytes) =>
      sharp(bytes)
        .autoOrient()
        .resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
        .webp({ quality, effort: 4 })
        .toBuffer()
  },
}

/** What those packages take from the browser. */
class PlainImageData {
  /**
   * @param {Uint8ClampedArray} data
   * @param {number} width
   * @param {number} height
   */
  constructor(data, width, height) {
    Object.assign(this, { data, width, height })
  }
}

function compile(/** @type {string} */ specifier) {
  return new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(specifier)))
}
