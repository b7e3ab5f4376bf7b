// The package in Node.js: the module is a file beside this one.
import { readFileSync } from 'node:fs'
import { type Codec, type CodecOptions, createCodecOf } from './codec.ts'

export * from './interface.ts'

let module: WebAssembly.Module | undefined

/** Makes a codec with its own memory. */
export function createCodec(options?: CodecOptions): Codec {
  return createCodecOf(() => {
    module ??= new WebAssembly.Module(readFileSync(new URL('codec.wasm', import.meta.url)))
    return module
  }, options)
}

/** The functions of a shared codec. */
export const { thumbnail, resize, lossless, outputs, pixels, rows } = createCodec()
