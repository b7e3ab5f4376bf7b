// The package in browsers: the module is fetched from beside this file.
import { type Codec, type CodecOptions, createCodecOf } from './codec.ts'

export * from './interface.ts'

let module: Promise<WebAssembly.Module> | undefined

/** Makes a codec with its own memory. */
export function createCodec(options?: CodecOptions): Codec {
  return createCodecOf(() => {
    module ??= compile()
    return module
  }, options)
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(new URL('codec.wasm', import.meta.url))
  if (!response.ok) throw new Error(`codec.wasm cannot be loaded: status ${response.status}`)
  return WebAssembly.compile(await response.arrayBuffer())
}

/** The functions of a shared codec. */
export const { thumbnail, resize, lossless, outputs, pixels, rows } = createCodec()
