import type { Raster } from '../src/pixels/raster.ts'

/** The decoders construct their results with it; browsers have it, Workers do not. */
class DecodedPixels {
  readonly data: Uint8ClampedArray<ArrayBuffer>
  readonly width: number
  readonly height: number

  constructor(data: Uint8ClampedArray<ArrayBuffer>, width: number, height: number) {
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

/** A decoder of the packages of @jsquash. */
export interface Decoder {
  decode(bytes: Uint8Array, option?: boolean | number): DecodedPixels | null
}
type Use<Codec> = <Result>(job: (codec: Codec) => Result | null) => Promise<Result>

/**
 * One instance of a codec of those packages; after any error another is made, since what one leaves behind then makes later good
 * images fail.
 */
export function sharedCodec<Codec>(name: string, create: CreateCodec<Codec>, module: WebAssembly.Module): Use<Codec> {
  let shared: Codec | undefined
  return async (job) => {
    const codec = shared ?? (await instantiate(create, module))
    shared = undefined
    const result = job(codec)
    if (result === null) throw new Error(`no ${name} to this package`)
    shared = codec
    return result
  }
}

function instantiate<Codec>(create: CreateCodec<Codec>, module: WebAssembly.Module): Promise<Codec> {
  return create({
    noInitialRun: true,
    print() {},
    printErr() {},
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(module, imports)
      done(instance)
      return instance.exports
    },
  })
}

/** Converts a decoder's result to a raster. */
export function rasterOf(pixels: DecodedPixels | null): Raster | null {
  return pixels && { width: pixels.width, height: pixels.height, rgba: pixels.data }
}
