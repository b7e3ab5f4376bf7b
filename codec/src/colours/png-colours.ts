import { uint32BE } from '../bytes.ts'
import { isIntact, pngChunks } from '../container/png-chunks.ts'
import { type Chromaticities, type Cicp, displayTransform, isSrgbGamut, pngCicpTransform } from './cicp.ts'

/** Colours from PNG chunks other than sRGB and ICC profiles (PNG 3rd edition, 11.3.2). */
interface PngColours {
  cicp?: Cicp
  gamma?: number
  chromaticities?: Chromaticities
}

const COLOUR_TYPES = new Set(['PLTE', 'cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM'])
/** gAMA and cHRM are integers: the values times 100000. */
const FIXED = 100_000
/** The gamma that encoders write for sRGB. Without cHRM, browsers ignore those that differ by up to a twentieth. */
const SRGB_GAMMA = 0.45455
const GAMMA_TOLERANCE = 0.05
/** Gammas by which a conversion to sRGB loses half a level at most. */
const CLOSE_GAMMA = 0.005

/** The code points of a PNG's cICP; undefined without one. */
export function readPngCicp(bytes: Uint8Array): Cicp | undefined {
  return readColours(bytes)?.cicp
}

/**
 * The table by which the codec makes the colours of a PNG those of sRGB; undefined where they are, or an ICC profile says what
 * they are.
 */
export function pngColourTransform(bytes: Uint8Array): Uint8Array | undefined {
  const colours = readColours(bytes)
  if (!colours) return undefined
  const { cicp, gamma, chromaticities } = colours
  if (cicp) return pngCicpTransform(cicp)
  // Browsers use chromaticities with a gamma alone.
  if (gamma === undefined) return undefined
  const isSrgb = !chromaticities && Math.abs(gamma / SRGB_GAMMA - 1) < GAMMA_TOLERANCE
  return isSrgb ? undefined : displayTransform(chromaticities, (value) => value ** (1 / gamma))
}

/** Whether the colours of a PNG, whatever its chunks say, are those of sRGB but for rounding. */
export function hasPngSrgbColours(bytes: Uint8Array): boolean {
  const colours = readColours(bytes)
  if (!colours) return true
  const { cicp, gamma, chromaticities } = colours
  if (cicp) return pngCicpTransform(cicp) === undefined
  if (gamma === undefined || pngColourTransform(bytes) === undefined) return true
  return Math.abs(gamma - SRGB_GAMMA) < CLOSE_GAMMA && (!chromaticities || isSrgbGamut(chromaticities))
}

/**
 * cICP counts more than iCCP, that more than sRGB, and that more than gAMA and cHRM (4.3). As in browsers, the first of a type counts,
 * damaged chunks do not, and cICP does before PLTE alone.
 */
function readColours(bytes: Uint8Array): PngColours | undefined {
  const colours: PngColours = {}
  let isElsewhere = false
  const seen = new Set<string>()
  for (const chunk of pngChunks(bytes)) {
    const { type, body, bodyEnd } = chunk
    if (type === 'IDAT') break
    const isLate = type === 'cICP' && seen.has('PLTE')
    if (!COLOUR_TYPES.has(type) || seen.has(type) || isLate || !isIntact(bytes, chunk)) continue
    seen.add(type)
    if (type === 'iCCP' || type === 'sRGB') isElsewhere = true
    else if (type === 'cICP' && bodyEnd - body === 4) {
      const [primaries = 0, transfer = 0, matrix, isFullRange] = bytes.subarray(body, bodyEnd)
      // A PNG has RGB, where other ranges are rarely intended.
      if (matrix === 0 && isFullRange === 1) colours.cicp = { primaries, transfer }
    } else if (type === 'gAMA' && bodyEnd - body === 4) {
      const gamma = (uint32BE(bytes, body) ?? 0) / FIXED
      if (gamma > 0) colours.gamma = gamma
    } else if (type === 'cHRM' && bodyEnd - body === 32) {
      const value = (i: number) => (uint32BE(bytes, body + 4 * i) ?? 0) / FIXED
      const chromaticities: Chromaticities = [
        value(2),
        value(3),
        value(4),
        value(5),
        value(6),
        value(7),
        value(0),
        value(1),
      ]
      if (isGamut(chromaticities)) colours.chromaticities = chromaticities
    }
  }
  return isElsewhere && !colours.cicp ? undefined : colours
}

/** Whether these are colours between which others lie. */
function isGamut([rx, ry, gx, gy, bx, by, wx, wy]: Chromaticities): boolean {
  const area = (gx - rx) * (by - ry) - (bx - rx) * (gy - ry)
  return Math.abs(area) > 0.01 && wy > 0.01 && wx + wy < 1
}
