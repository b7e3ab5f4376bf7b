// Compresses texts that few requests of the Worker need. A text that is not unpacked is not parsed either.
import { brotliCompressSync, constants } from 'node:zlib'

/** A text in Brotli, in Base64; src/packed.ts unpacks it. Repetitions are found however far apart, unlike gzip's. */
export function pack(text: string) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
  return brotliCompressSync(text, { params }).toString('base64')
}
