import { concat, hasText, uint32BE } from '../bytes.ts'
import { readItems } from '../container/avif-items.ts'
import { isProfile, withoutIdentity } from '../container/avif-sources.ts'
import type { Box } from '../container/boxes.ts'
import { isProfilePart, jpegHeader, readProfilePart } from '../container/jpeg-segments.ts'
import { isIntact, pngChunks } from '../container/png-chunks.ts'
import { webpChunks } from '../container/webp-chunks.ts'
import type { Format } from '../format.ts'
import type { JpegFacts } from '../probe/jpeg.ts'
import type { AnyFacts } from '../probe.ts'
import { MIB } from '../units.ts'
import { zlibInflate } from '../zlib.ts'
import { greyAsRgb } from './matrix-profile.ts'
import { outputColours } from './output-colours.ts'
import { readPngCicp } from './png-colours.ts'
import { isSrgb } from './srgb.ts'

/** Profiles of displays and cameras have less than 50 KB, those with large tables some hundred, a few more than 1 MiB. */
const PROFILE_MAX_BYTES = 4 * MIB

/**
 * Returns the ICC profile for RGB images made from these pixels; undefined for sRGB, which is the default. A profile
 * for grey is converted to one for RGB. Broken profiles, and those over 4 MiB, are ignored. Throws `ImageRefusal` only
 * if `probe` would have thrown.
 */
export async function findColourProfile(bytes: Uint8Array, facts: AnyFacts): Promise<Uint8Array | undefined> {
  const found = wholeProfile(await FINDERS[facts.format](bytes))
  // Browsers ignore a profile for grey that connects to Lab.
  const isForGrey = found && hasText(found, 16, 'GRAY') && hasText(found, 20, 'XYZ ')
  const profile = isForGrey && isGrey(facts) ? greyAsRgb(found) : found
  return profile && hasText(profile, 16, 'RGB ') && !isSrgb(profile) ? profile : undefined
}

/**
 * Whether the colours of an image are understood: it has no ICC profile, or one that can be read, or one that browsers ignore for
 * what it is. A profile for CMYK is not looked at.
 */
export async function isProfileUnderstood(bytes: Uint8Array, facts: AnyFacts): Promise<boolean> {
  const embedded = await FINDERS[facts.format](bytes)
  if (embedded === undefined) return true
  const found = wholeProfile(embedded)
  if (!found) return false
  if (!hasText(found, 16, 'RGB ') || isSrgb(found)) return true
  const { profile, change } = outputColours(found).small
  return profile !== undefined || change !== undefined
}

/** Whether an image has one channel, beside alpha. */
function isGrey(facts: AnyFacts): boolean {
  if (facts.format === 'jpeg') return facts.sampling.length === 1
  if (facts.format === 'png') return facts.colourType === 0 || facts.colourType === 4
  return facts.format === 'avif' && facts.chroma === '4:0:0'
}

/** The ICC profile for CMYK of a JPEG of four inks; undefined of all else, and where it is broken or over 4 MiB. */
export function findInkProfile(bytes: Uint8Array, facts: JpegFacts): Uint8Array | undefined {
  const profile = facts.sampling.length === 4 ? wholeProfile(findInJpeg(bytes)) : undefined
  return profile && hasText(profile, 16, 'CMYK') ? profile : undefined
}

/** As long as it says, and with the signature of every profile (ICC.1:2022, 7.2). */
function wholeProfile(embedded: Found): Found {
  const size = embedded && uint32BE(embedded, 0)
  if (!embedded || !size || size > embedded.length || size > PROFILE_MAX_BYTES) return undefined
  const profile = embedded.subarray(0, size)
  return hasText(profile, 36, 'acsp') ? profile : undefined
}

type Found = Uint8Array | undefined

const NOTHING = new Uint8Array()

/** The bytes of the profile of a file; none of one that is cut short or too large; undefined without one. */
const FINDERS: Record<Format, (bytes: Uint8Array) => Found | Promise<Found>> = {
  jpeg: findInJpeg,
  png: findInPng,
  gif: () => undefined,
  webp: findInWebp,
  avif: findInAvif,
}

/** APP2 segments with a number and a count before each part (ICC.1:2022, B.4). */
function findInJpeg(bytes: Uint8Array): Uint8Array | undefined {
  const parts = new Map<number, Uint8Array>()
  let count = 0
  for (const segment of jpegHeader(bytes)) {
    if (!isProfilePart(bytes, segment)) continue
    const { number, total, start } = readProfilePart(bytes, segment)
    count = total
    if (!parts.has(number)) parts.set(number, bytes.subarray(start, segment.bodyEnd))
  }
  const inOrder = Array.from({ length: count }, (_, i) => parts.get(i + 1)).filter((part) => part !== undefined)
  if (parts.size === 0) return undefined
  return inOrder.length === count ? concat(inOrder) : NOTHING
}

/** iCCP: a name, a zero byte, the compression method 0, a zlib stream (PNG 3rd edition, 11.3.2.3). cICP counts more (4.3). */
async function findInPng(bytes: Uint8Array): Promise<Found> {
  if (readPngCicp(bytes)) return undefined
  for (const chunk of pngChunks(bytes)) {
    const { type, body, bodyEnd } = chunk
    if (type === 'IDAT') break
    if (type !== 'iCCP' || !isIntact(bytes, chunk)) continue
    const nameEnd = bytes.indexOf(0, body)
    if (nameEnd < 0 || nameEnd + 2 > bodyEnd) return NOTHING
    return (await zlibInflate(bytes.subarray(nameEnd + 2, bodyEnd), PROFILE_MAX_BYTES)) ?? NOTHING
  }
  return undefined
}

function findInWebp(bytes: Uint8Array): Uint8Array | undefined {
  for (const { type, body, bodyEnd } of webpChunks(bytes)) {
    if (type === 'ICCP') return bytes.subarray(body, bodyEnd)
  }
  return undefined
}

function avifProperties(bytes: Uint8Array): Box[] {
  const items = readItems(bytes)
  return items ? withoutIdentity(items).primary.properties : []
}

/** The primary item's colr property with a profile. */
function findInAvif(bytes: Uint8Array): Uint8Array | undefined {
  const colr = avifProperties(bytes).find((box) => isProfile(bytes, box))
  return colr && bytes.subarray(colr.body + 4, colr.end)
}
