import { probeAvif } from './probe/avif.ts'
import type { AvifFacts } from './probe/avif-facts.ts'
import { type GifFacts, probeGif } from './probe/gif.ts'
import { type JpegFacts, probeJpeg } from './probe/jpeg.ts'
import { type PngFacts, probePng } from './probe/png.ts'
import { probeWebp, type WebpFacts } from './probe/webp.ts'

/** Header information of an image, by `format`. */
export type AnyFacts = JpegFacts | PngFacts | GifFacts | WebpFacts | AvifFacts

/**
 * Reads the header of an image, without decoding pixels; `undefined` if it has no known signature. Throws `ImageRefusal` for
 * an invalid header ('unreadable') and for an image that is too large ('over_budget', D36).
 */
export function probe(bytes: Uint8Array): AnyFacts | undefined {
  return probeJpeg(bytes) ?? probePng(bytes) ?? probeGif(bytes) ?? probeWebp(bytes) ?? probeAvif(bytes)
}
