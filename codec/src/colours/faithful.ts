import { hasGainMap } from '../container/gain-map.ts'
import { isProfilePart, jpegHeader } from '../container/jpeg-segments.ts'
import type { ProbedImage } from '../probed-image.ts'
import { isHdr } from './cicp.ts'
import { isProfileUnderstood } from './colour-profile.ts'
import { hasPngSrgbColours, readPngCicp } from './png-colours.ts'

/**
 * Returns whether a WebP can represent all colours of an image. It cannot represent HDR, gain maps, gamuts that only a PNG chunk
 * names, CMYK that its own profile converts to RGB, or colours of a profile that cannot be read.
 */
export async function isFaithfulAsWebp({ bytes, facts }: ProbedImage): Promise<boolean> {
  if (!(await isProfileUnderstood(bytes, facts))) return false
  if (facts.format === 'png') {
    const cicp = readPngCicp(bytes)
    return !(cicp && isHdr(cicp)) && hasPngSrgbColours(bytes)
  }
  if (facts.format === 'jpeg' && hasGainMap(bytes)) return false
  return facts.format !== 'jpeg' || facts.sampling.length < 4 || !hasJpegProfile(bytes)
}

function hasJpegProfile(bytes: Uint8Array): boolean {
  for (const segment of jpegHeader(bytes)) if (isProfilePart(bytes, segment)) return true
  return false
}
