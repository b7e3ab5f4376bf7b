import { Status } from '../../assembly/status.ts'
import { concat } from '../bytes.ts'
import { type OutputColours, srgbColours } from '../colours/output-colours.ts'
import type { Size } from '../format.ts'
import type { ProbedImage } from '../probed-image.ts'
import { MEGAPIXEL } from '../units.ts'
import { HELD_OUTPUTS_MAX_BYTES } from './budget.ts'
import { type Core, changeColours, changeJpegColours, requireOk, take, takeOutput, view } from './core.ts'
import type { Cores } from './cores.ts'
import { decodeInto } from './decode.ts'
import { isHeldWhileDecoded } from './decode-steps.ts'
import { jpegStart } from './jpeg-file.ts'
import { encodeHeldPixels } from './lossless.ts'
import type { Raster } from './raster.ts'
import { extendWebp, losslessWebp } from './webp-file.ts'
import type { YieldIfDue } from './yielder.ts'

/** A file that is wanted of an image: its size, upright, and its quality from 0 to 100. */
export interface Output {
  size: Size
  quality: number
  /** Whether a large profile goes with it. */
  keepsProfile?: boolean
  /** Whether it is a JPEG in sRGB where nothing of it is transparent. Else it is a WebP. */
  prefersJpeg?: boolean
  /** A larger file is encoded again at lower qualities. */
  maxBytes?: number
  /** Whether it is lossless where that is smaller, or hardly larger and much closer to the pixels. */
  mayBeLossless?: boolean
}

/** The file of an output. */
export interface Encoded {
  bytes: Uint8Array<ArrayBuffer>
  format: 'webp' | 'jpeg'
  /** A lossless file that is hardly larger, and the pixels that the file should show. */
  lossless?: { bytes: Uint8Array<ArrayBuffer>; pixels: Uint8Array }
}

/** As many targets as the module's sink takes. */
const MAX_TOGETHER = 8
/** Luma, a quarter of it of either chroma, and alpha. */
const HELD_BYTES_PER_PIXEL = 2.5
/** A file that is too large is encoded again at these shares of the quality that was wanted. */
const LOWER_QUALITIES = [0.75, 0.5, 0.3, 0.15, 0.05]
/** A lossless file may be so many times as large as a lossy one that is far from the pixels. */
const LOSSLESS_MAX_SHARE = 1.2
/** Pixels of larger images are not held beside the whole image that some formats hold while they are decoded. */
const HELD_BESIDE_MAX_PIXELS = MEGAPIXEL

/** Groups outputs into decodes: the largest, and as many of the smallest as may be held until the encoder is free. */
export function passesOf(outputs: readonly Output[], heldMaxBytes: number = HELD_OUTPUTS_MAX_BYTES): Output[][] {
  const left = outputs.toSorted((a, b) => areaOf(a) - areaOf(b))
  const passes: Output[][] = []
  for (let largest = left.pop(); largest; largest = left.pop()) {
    const together = [largest]
    let heldBytes = isHeld(largest) ? heldBytesOf(largest) : 0
    for (let next = left[0]; next && together.length < MAX_TOGETHER; next = left[0]) {
      heldBytes += heldBytesOf(next)
      if (heldBytes > heldMaxBytes) break
      together.push(next)
      left.shift()
    }
    passes.push(together)
  }
  return passes
}

/**
 * Decodes an image, or its `whole` pixels, once, and returns the file of each output in their order. Throws ImageRefusal. The
 * first output that need not be held is encoded while the image is decoded: its pixels are never all in memory.
 */
export async function encodeOutputs(
  cores: Cores,
  core: Core,
  image: ProbedImage,
  whole: Raster | undefined,
  outputs: readonly Output[],
  colours: OutputColours,
): Promise<Encoded[]> {
  const { facts } = image
  const inOrder = outputs.toSorted((a, b) => Number(isHeld(a)) - Number(isHeld(b)))
  const [first, ...others] = inOrder
  if (!first) return []
  const want = (to: Core['toWebp'], { size, quality }: Output) =>
    to(size.width, size.height, facts.orientation, quality)
  want(isHeld(first) ? core.toHeldWebp : core.toWebp, first)
  for (const output of others) want(core.alsoToWebp, output)
  if (!isHeldWhileDecoded(facts) || areaOf(facts) <= HELD_BESIDE_MAX_PIXELS) {
    for (const [i, { mayBeLossless }] of inOrder.entries()) if (mayBeLossless) core.holdPixels(i)
  }
  changeColours(core, colours.change)
  // Other outputs need no table of a profile, which takes a while to make.
  const jpegColours = outputs.some(({ prefersJpeg }) => prefersJpeg) ? srgbColours(colours.profile) : {}
  changeJpegColours(core, jpegColours.change)
  const largest = outputs.reduce((most, output) => (areaOf(output) > areaOf(most) ? output : most))
  const heldBytes = others.reduce((sum, output) => sum + heldBytesOf(output), 0)
  await decodeInto(cores, core, image, whole, largest.size, Math.max(0, heldBytes - HELD_OUTPUTS_MAX_BYTES))
  const yieldIfDue = cores.createYielder(facts.size.width)
  const files = new Map<Output, Encoded>()
  for (const [i, output] of inOrder.entries()) {
    if (i > 0) core.nextWebp()
    const isJpeg = output.prefersJpeg && core.isOpaque(i)
    const encode = isJpeg ? jpegEncoder(core, i, output, jpegColours) : webpEncoder(core, output, colours)
    const file = await encodeWithin(output, (quality) => encode(quality, yieldIfDue))
    files.set(output, isJpeg ? file : await orLossless(core, i, output, file, colours, yieldIfDue))
  }
  return outputs.map((output) => files.get(output)).filter((file) => file !== undefined)
}

/** Returns the smaller of the lossy and the lossless file of output `i`; with the lossy one, a lossless one that is hardly larger. */
async function orLossless(
  core: Core,
  i: number,
  { size }: Output,
  lossy: Encoded,
  { profile }: OutputColours,
  yieldIfDue: YieldIfDue,
): Promise<Encoded> {
  const maxBytes = Math.floor(lossy.bytes.length * LOSSLESS_MAX_SHARE)
  const stream = await encodeHeldPixels(core, i, size, maxBytes, yieldIfDue)
  const bytes = stream && losslessWebp(stream, size, profile)
  if (!bytes || bytes.length > maxBytes) return lossy
  if (bytes.length <= lossy.bytes.length) return { bytes, format: 'webp' }
  return { ...lossy, lossless: { bytes, pixels: take(core, core.heldPixels(i), areaOf({ size }) * 4) } }
}

type Encode = (quality: number, yieldIfDue: YieldIfDue) => Promise<Encoded>

/** Encodes at the quality that was wanted, and at lower ones while the file is too large. The smallest counts. */
async function encodeWithin(
  { quality, maxBytes = Number.POSITIVE_INFINITY }: Output,
  encode: (quality: number) => Promise<Encoded>,
): Promise<Encoded> {
  let file = await encode(quality)
  for (const share of LOWER_QUALITIES) {
    if (file.bytes.length <= maxBytes) break
    file = await encode(Math.max(1, Math.round(quality * share)))
  }
  return file
}

function webpEncoder(core: Core, { size, quality: wanted }: Output, { profile }: OutputColours): Encode {
  return async (quality, yieldIfDue) => {
    if (quality !== wanted) core.repeatWebp(quality)
    for (let left = encodeChunk(core); left; left = encodeChunk(core)) await yieldIfDue()
    const alpha = core.alphaBytes() > 0 ? view(core, core.alphStart(), core.alphaBytes()) : undefined
    return {
      bytes: extendWebp(view(core, core.fileStart(), core.fileBytes()), size, { alpha, profile }),
      format: 'webp',
    }
  }
}

function jpegEncoder(core: Core, i: number, { size }: Output, { profile }: OutputColours): Encode {
  return async (quality, yieldIfDue) => {
    requireOk(core.startJpegOutput(i, size.width, size.height, quality))
    const chunks = [jpegStart(profile)]
    for (let status = core.stepJpegOutput(); ; status = core.stepJpegOutput()) {
      if (core.outputBytes() > 0) chunks.push(takeOutput(core))
      if (status !== Status.More) return { bytes: concat(chunks), format: 'jpeg' }
      await yieldIfDue()
    }
  }
}

/** Encodes a chunk of what was held; false after the last. */
function encodeChunk(core: Core): boolean {
  const status = core.finishWebp()
  requireOk(status)
  return status === Status.More
}

/** Whether the samples of an output are held whatever else is wanted: it may be a JPEG, or be encoded several times. */
function isHeld({ prefersJpeg, maxBytes }: Output): boolean {
  return prefersJpeg === true || maxBytes !== undefined
}

/** The most memory that the samples of an output take. */
function heldBytesOf(output: Output): number {
  return areaOf(output) * HELD_BYTES_PER_PIXEL
}

function areaOf({ size }: { size: Size }): number {
  return size.width * size.height
}
