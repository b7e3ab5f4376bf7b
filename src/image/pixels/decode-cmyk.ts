import { decode } from 'jpeg-js'
import type { JpegFacts } from '../probe/jpeg.ts'
import { ImageRefusal } from '../refusal.ts'
import { FIRST_VERSION_MAX_PIXELS } from './budget.ts'
import type { Raster } from './raster.ts'

/** It holds every coefficient of four components as a 32-bit number, then the samples, then the picture. */
const MAX_MEMORY_MIB = 512

/** Decodes a JPEG of four components (CMYK, YCCK), which the faster decoder cannot; no profile is applied. */
export function decodeCmykJpeg(bytes: Uint8Array, { size }: JpegFacts): Raster {
  try {
    const { width, height, data } = decode(bytes, {
      useTArray: true,
      formatAsRGBA: true,
      maxResolutionInMP: FIRST_VERSION_MAX_PIXELS / 1_000_000,
      maxMemoryUsageInMB: MAX_MEMORY_MIB,
    })
    if (width === size.width && height === size.height) {
      return { width, height, rgba: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length) }
    }
  } catch {
    // What it says is about its own insides.
  }
  throw new ImageRefusal('unreadable', 'the CMYK JPEG data is damaged or of an unsupported kind')
}
