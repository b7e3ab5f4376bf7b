import createAvifDecoder from '@jsquash/avif/codec/dec/avif_dec.js'
import avifDecoderModule from '@jsquash/avif/codec/dec/avif_dec.wasm'
import { ImageRefusal } from '../refusal.ts'
import type { Raster } from './raster.ts'

/** The package that decodes AVIF. */

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

/** A decoder of these packages. */
export interface Decoder {
  decode(bytes: Uint8Array, option?: boolean | number): DecodedPixels | null
}
type Use<Codec> = <Result>(job: (codec: Codec) => Result | null) => Promise<Result>

/**
 * One instance of a codec an isolate: memory of WebAssembly is not given back for long. After any error the instance is
 * dropped, since what a codec leaves behind then makes later good pictures fail.
 */
export function sharedCodec<Codec>(name: string, create: CreateCodec<Codec>, module: WebAssembly.Module): Use<Codec> {
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

const useAvifDecoder = sharedCodec<Decoder>('AVIF', createAvifDecoder, avifDecoderModule)

/** The primary item or the first frame, as coded: neither turned nor cropped; 10 and 12 bits reduced to 8. */
export function decodeAvif(bytes: Uint8Array): Promise<Raster> {
  return useAvifDecoder((codec) => rasterOf(codec.decode(bytes, 8)))
}

/** What a decoder answered as a raster. */
export function rasterOf(pixels: DecodedPixels | null): Raster | null {
  return pixels && { width: pixels.width, height: pixels.height, rgba: pixels.data }
}
