import { probeAvif } from './probe/avif.ts'
import type { AvifFacts } from './probe/avif-facts.ts'
import { type GifFacts, probeGif } from './probe/gif.ts'
import { type JpegFacts, probeJpeg } from './probe/jpeg.ts'
import { type PngFacts, probePng } from './probe/png.ts'
import { probeWebp, type WebpFacts } from './probe/webp.ts'

/** What a header tells, of whichever format it is: `format` tells the members apart. */
export type AnyFacts = JpegFacts | PngFacts | GifFacts | WebpFacts | AvifFacts

/**
 * Reads what a picture's header tells, without decoding a pixel; `undefined` when no format's signature is there.
 * Throws `ImageRefusal` for a header that cannot be right ('unreadable') or asks for too much ('over_budget', D36).
 */
export function probe(bytes: Uint8Array): AnyFacts | undefined {
  return probeJpeg(bytes) ?? probePng(bytes) ?? probeGif(bytes) ?? probeWebp(bytes) ?? probeAvif(bytes)
}
