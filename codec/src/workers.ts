// The package in Cloudflare Workers: the module is imported.
import module from '#generated/codec.wasm'
import { type Codec, type CodecOptions, createCodecOf } from './codec.ts'

export * from './interface.ts'

/** Makes a codec with its own memory. */
export function createCodec(options?: CodecOptions): Codec {
  return createCodecOf(() => module, options)
}

/** The functions of a shared codec. */
export const { thumbnail, resize, lossless, outputs, pixels, rows } = createCodec()
