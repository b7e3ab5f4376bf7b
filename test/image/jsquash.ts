import createAvifDecoder from '@jsquash/avif/codec/dec/avif_dec.js'
import avifDecoderModule from '@jsquash/avif/codec/dec/avif_dec.wasm'
import createJpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import jpegDecoderModule from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
import createJpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js'
import jpegEncoderModule from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'
import { defaultOptions as JPEG_DEFAULTS } from '@jsquash/jpeg/meta.js'
import createWebpDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import webpDecoderModule from '@jsquash/webp/codec/dec/webp_dec.wasm'
import createWebpEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import webpEncoderModule from '@jsquash/webp/codec/enc/webp_enc_simd.wasm'
import { defaultOptions as WEBP_DEFAULTS } from '@jsquash/webp/meta.js'
import type { Raster } from '../../src/image/pixels/raster.ts'
import { ImageRefusal } from '../../src/image/refusal.ts'

/** Codecs of other people, to make and to read pictures with. */

/** What the decoders construct to answer with; browsers have it, Workers do not. */
class DecodedPixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
if (!('ImageData' in globalThis)) Object.assign(globalThis, { ImageData: DecodedPixels })

interface CodecOptions {
  noInitialRun: true
  print(): void
  printErr(): void
  instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): WebAssembly.Exports
}
type CreateCodec<Codec> = (options: CodecOptions) => Promise<Codec>

interface Decoder {
  decode(bytes: Uint8Array, option?: boolean | number): DecodedPixels | null
}
interface Encoder<Options> {
  encode(rgba: Uint8ClampedArray, width: number, height: number, options: Options): Uint8Array | null
}

type Use<Codec> = <Result>(job: (codec: Codec) => Result | null) => Promise<Result>

/**
 * One instance of a codec an isolate: memory of WebAssembly is not given back for long. After any error the instance is
 * dropped, since what a codec leaves behind then makes later good pictures fail.
 */
function sharedCodec<Codec>(name: string, create: CreateCodec<Codec>, module: WebAssembly.Module): Use<Codec> {
  let instance: Promise<Codec> | undefined
  return async (job) => {
    instance ??= create({
      noInitialRun: true,
      print() {},
      printErr() {},
      instantiateWasm(imports, done) {
        const instance = new WebAssembly.Instance(module, imports)
        done(instance)
        return instance.exports
      },
    })
    try {
      const result = job(await instance)
      if (result !== null) return result
    } catch {
      // What it says is about its own insides.
    }
    instance = undefined
    throw new ImageRefusal('unreadable', `the ${name} data is damaged or of an unsupported kind`)
  }
}

const useJpegDecoder = sharedCodec<Decoder>('JPEG', createJpegDecoder, jpegDecoderModule)
const useWebpDecoder = sharedCodec<Decoder>('WebP', createWebpDecoder, webpDecoderModule)
const useAvifDecoder = sharedCodec<Decoder>('AVIF', createAvifDecoder, avifDecoderModule)
const useJpegEncoder = sharedCodec<Encoder<typeof JPEG_DEFAULTS>>('JPEG', createJpegEncoder, jpegEncoderModule)
const useWebpEncoder = sharedCodec<Encoder<typeof WEBP_DEFAULTS>>('WebP', createWebpEncoder, webpEncoderModule)

/** Gray, YCbCr or RGB, as coded: not turned. */
export function decodeJpeg(bytes: Uint8Array): Promise<Raster> {
  return useJpegDecoder((codec) => rasterOf(codec.decode(bytes, false)))
}

/** A still WebP. */
export function decodeWebp(bytes: Uint8Array): Promise<Raster> {
  return useWebpDecoder((codec) => rasterOf(codec.decode(bytes)))
}

/** The primary item or the first frame, as coded: neither turned nor cropped; 10 and 12 bits reduced to 8. */
export function decodeAvif(bytes: Uint8Array): Promise<Raster> {
  return useAvifDecoder((codec) => rasterOf(codec.decode(bytes, 8)))
}

export function encodeJpeg({ rgba, width, height }: Raster, quality: number): Promise<Uint8Array> {
  return useJpegEncoder((codec) => codec.encode(rgba, width, height, { ...JPEG_DEFAULTS, quality }))
}

/** Lossy; alpha is kept without loss where a pixel is see-through. */
export function encodeLossyWebp({ rgba, width, height }: Raster, quality: number): Promise<Uint8Array> {
  return useWebpEncoder((codec) => codec.encode(rgba, width, height, { ...WEBP_DEFAULTS, quality }))
}

function rasterOf(pixels: DecodedPixels | null): Raster | null {
  return pixels && { width: pixels.width, height: pixels.height, rgba: pixels.data }
}
