import { put } from './core.ts'
import type { Source } from './source.ts'
import type { WebpFrame } from './webp-file.ts'

/** A frame of a WebP. */
export function webpSource({ coding, bitstream, alpha }: WebpFrame): Source {
  return {
    open(core) {
      const data = put(core, bitstream)
      if (coding === 'VP8L') return core.openVp8l(data, bitstream.length)
      if (!alpha) return core.openVp8(data, bitstream.length)
      return core.openWebpAlpha(data, bitstream.length, put(core, alpha), alpha.length)
    },
  }
}
