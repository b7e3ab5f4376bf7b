import { isHdr } from './cicp.ts'
import { isKind, jpegHeader, MARKER, PROFILE_KIND } from './container/jpeg-segments.ts'
import { pngColourTransform, readPngCicp } from './png-colours.ts'
import type { ProbedImage } from './probed-image.ts'

/**
 * Returns whether a WebP can represent all colours of an image. It cannot represent HDR, gamuts that only a PNG chunk
 * names, or CMYK that its own profile converts to RGB.
 */
export function isFaithfulAsWebp({ bytes, facts }: ProbedImage): boolean {
  if (facts.format === 'png') {
    const cicp = readPngCicp(bytes)
    return !(cicp && isHdr(cicp)) && pngColourTransform(bytes) === undefined
  }
  return facts.format !== 'jpeg' || facts.sampling.length < 4 || !hasJpegProfile(bytes)
}

function hasJpegProfile(bytes: Uint8Array): boolean {
  for (const segment of jpegHeader(bytes)) {
    if (segment.marker === MARKER.APP2 && isKind(bytes, segment, PROFILE_KIND)) return true
  }
  return false
}
