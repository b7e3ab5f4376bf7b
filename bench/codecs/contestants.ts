// Three ways to do the same jobs: this project, the @jsquash packages called as their documentation does, and native sharp.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

export type Job = readonly { edge: number; quality: number; isLosslessToo?: boolean; isJpeg?: boolean }[]
export type Encode = (bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>

const THUMBNAIL = { edge: 200, quality: 80 }

const PREVIEW = { edge: 1280, quality: 80, isJpeg: true }
/** As src/limits.ts has it. */
const PREVIEW_MAX_BYTES = 300_000

const LARGE = { edge: 3840, quality: 90 }

/** The wanted files: the longest edge and the quality of each WebP, or JPEG, and whether a lossless WebP is tried as well. */
export const JOBS: Record<string, Job> = {
  thumbnail: [THUMBNAIL],
  preview: [PREVIEW, THUMBNAIL],
  optimize: [LARGE, THUMBNAIL],
  'optimize-text': [{ ...LARGE, isLosslessToo: true }, THUMBNAIL],
}

/** The decoder in each @jsquash package. */
const DECODERS: Record<string, string> = {
  jpeg: 'codec/dec/mozjpeg_dec.wasm',
  png: 'codec/pkg/squoosh_png_bg.wasm',
  webp: 'codec/dec/webp_dec.wasm',
  avif: 'codec/dec/avif_dec.wasm',
}

/** Each returns a function that makes the WebPs of a file's bytes. */
export const CONTESTANTS: Record<string, (job: Job, kind: string) => Promise<Encode>> = {
  async tintype(outputs) {
    const { importTintype } = await import('./bundle.ts')
    const { codec } = await importTintype()
    const wanted = outputs.map(optionsOf)
    return async (bytes) => {
      const files = await codec.outputs(bytes, wanted)
      for (const [i, { edge, isLosslessToo }] of outputs.entries()) {
        const box = { width: edge, height: edge }
        if (isLosslessToo) await codec.lossless(bytes, { ...box, maxBytes: (files[i]?.bytes.length ?? 1) - 1 })
      }
    }
  },

  async jsquash(outputs, kind) {
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
      for (const { edge, quality, isLosslessToo } of outputs) {
        const scale = Math.min(edge / Math.max(image.width, image.height), 1)
        const size = { width: Math.floor(image.width * scale), height: Math.floor(image.height * scale) }
        const resized = scale < 1 ? await resize(image, size) : image
        await encoder.default(resized, { quality })
        if (isLosslessToo) await encoder.default(resized, { lossless: 1, exact: 1 })
      }
    }
  },

  async sharp(outputs) {
    const { default: sharp } = await import('sharp')
    sharp.concurrency(1)
    sharp.cache(false)
    return async (bytes) => {
      for (const { edge, quality, isLosslessToo, isJpeg } of outputs) {
        const resized = () => sharp(bytes).autoOrient().resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
        await (isJpeg ? resized().jpeg({ quality }) : resized().webp({ quality, effort: 4 })).toBuffer()
        if (isLosslessToo) await resized().webp({ lossless: true, exact: true, effort: 4 }).toBuffer()
      }
    }
  },
}

/** The options of this codec for an output. */
export function optionsOf({ edge, quality, isJpeg }: Job[number]) {
  const box = { width: edge, height: edge, quality }
  return isJpeg ? { ...box, prefersJpeg: true, maxBytes: PREVIEW_MAX_BYTES } : box
}

/** Polyfill for ImageData, which those packages expect. */
class PlainImageData {
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    Object.assign(this, { data, width, height })
  }
}

function compile(specifier: string) {
  return new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(specifier)))
}
