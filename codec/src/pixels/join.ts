import { ROW_SLACK } from '../../assembly/arena/row-slack.ts'
import { concat } from '../bytes.ts'
import type { ColourChange } from '../colours/output-colours.ts'
import { pngChunk } from '../container/png-chunks.ts'
import type { Size } from '../format.ts'
import { IMAGE_MAX_PIXELS, JOINED_JPEG_QUALITY } from '../limits.ts'
import type { SizedImage } from '../probed-image.ts'
import { ImageRefusal } from '../refusal.ts'
import { MEGAPIXEL } from '../units.ts'
import { zlibDeflated } from '../zlib.ts'
import { heldBytes, ROTATED_MAX_BYTES } from './budget.ts'
import { type Core, changeColours, requireOk, takeOutput, view } from './core.ts'
import type { Cores } from './cores.ts'
import { decodeSteps, isHeldWhileDecoded, type Steps, sourceOf } from './decode-steps.ts'
import { jpegStart } from './jpeg-file.ts'
import { oversamplingFor } from './oversampling.ts'
import { pngStart } from './png-file.ts'
import type { Raster } from './raster.ts'
import type { YieldIfDue } from './yielder.ts'

/** An image that is not to be enlarged, and its pixels where they cannot be had by rows. */
interface SourceImage extends SizedImage {
  whole: Raster | undefined
  /** The conversion of its colours to sRGB, if the images do not have the same profile. */
  change?: ColourChange | undefined
}

type CoverFormat = 'jpeg' | 'png'

/** A JPEG's sides are 16-bit numbers (T.81 B.2.2), and a PNG's are held to the same. */
const MAX_SIDE_PX = 65_535
/** YUV 4:2:0, which a JPEG will be made of anyway, or RGBA. */
const ROTATED_BYTES_PER_PIXEL = { jpeg: 1.5, png: 4 }
/** Rather than to refuse a JPEG whose coefficients do not fit, its blocks are decoded to 7, 6, 5 or 4 points of 8. */
const SOFTER_OVERSAMPLINGS = [0.875, 0.75, 0.625, 0.5]
/** Chunk size of deflate output in the file. */
const IDAT_BYTES = 64 * 1024

/**
 * Two first frames of one height side by side, without a gap: a JPEG of quality 90 or a PNG (D35). Neither image nor the
 * joined one is ever there as a whole: each is decoded on a core of its own, a few rows at a time. Throws ImageRefusal.
 */
export async function join(
  cores: Cores,
  left: SourceImage,
  right: SourceImage,
  format: CoverFormat,
  profile: Uint8Array | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const size = { width: left.size.width + right.size.width, height: left.size.height }
  requireSize(size)
  const heldMaxBytes = shareMemory(cores.maxBytes, [left, right], format)
  const chunks: Uint8Array[] = []
  await cores.runOnTwoCores(async ([first, encoder]) => {
    cores.dropWaiting()
    const rows = joinedRows(cores, first, encoder, left, right, format, heldMaxBytes)
    const written =
      format === 'jpeg' ? jpegChunks(encoder, size, rows, profile) : pngChunks_(encoder, size, rows, profile)
    for await (const chunk of written) chunks.push(chunk)
  })
  return concat(chunks)
}

/** Puts row after row of both images into the encoder's room for one. */
async function* joinedRows(
  cores: Cores,
  first: Core,
  encoder: Core,
  left: SourceImage,
  right: SourceImage,
  format: CoverFormat,
  heldMaxBytes: number,
): AsyncGenerator<void> {
  const leftBytes = left.size.width * 4
  const leftRow = first.allocate(leftBytes + ROW_SLACK)
  const leftSteps = startDecoder(cores, first, left, format, heldMaxBytes)
  const rightSteps = startDecoder(cores, encoder, right, format, heldMaxBytes)
  const yieldIfDue = cores.createYielder(left.size.width + right.size.width)
  try {
    for (let y = 0; y < left.size.height; y++) {
      await fillRow(first, leftSteps, leftRow, yieldIfDue)
      await fillRow(encoder, rightSteps, encoder.inputRow() + leftBytes, yieldIfDue)
      view(encoder, encoder.inputRow(), leftBytes).set(view(first, leftRow, leftBytes))
      yield
    }
    // Damage after the last row that was needed is damage too.
    for (const _ of leftSteps) await yieldIfDue()
    for (const _ of rightSteps) await yieldIfDue()
  } finally {
    leftSteps.return()
    rightSteps.return()
  }
}

function startDecoder(
  cores: Cores,
  core: Core,
  { image, size, whole, change }: SourceImage,
  format: CoverFormat,
  heldMaxBytes: number,
): Steps {
  core.toUprightRows(size.width, size.height, image.facts.orientation, format === 'jpeg')
  changeColours(core, change)
  const oversamplings = [oversamplingFor(size), ...SOFTER_OVERSAMPLINGS]
  return decodeSteps(core, sourceOf(cores, image, whole, { oversamplings, heldMaxBytes }))
}

async function fillRow(core: Core, steps: Steps, to: number, yieldIfDue: YieldIfDue): Promise<void> {
  while (!core.nextUprightRow(to)) {
    await yieldIfDue()
    const { done } = steps.next()
    if (done) throw new ImageRefusal('unreadable', 'the picture ends before its last row')
  }
}

async function* jpegChunks(
  core: Core,
  size: Size,
  rows: AsyncGenerator<void>,
  profile?: Uint8Array,
): AsyncGenerator<Uint8Array> {
  requireOk(core.startJpegEncoder(size.width, size.height, JOINED_JPEG_QUALITY))
  yield jpegStart(profile)
  for await (const _ of rows) {
    core.addJpegRow()
    while (core.encodeJpegRows()) yield takeOutput(core)
  }
  while (core.finishJpegEncoder()) yield takeOutput(core)
  yield takeOutput(core)
}

async function* pngChunks_(
  core: Core,
  size: Size,
  rows: AsyncGenerator<void>,
  profile?: Uint8Array,
): AsyncGenerator<Uint8Array> {
  core.startPngEncoder(size.width)
  yield await pngStart(size, profile)
  for await (const chunk of deflated(filteredChunks(core, rows))) yield pngChunk('IDAT', chunk)
  yield pngChunk('IEND')
}

async function* filteredChunks(core: Core, rows: AsyncGenerator<void>): AsyncGenerator<Uint8Array> {
  for await (const _ of rows) if (core.encodePngRow()) yield takeOutput(core)
  yield takeOutput(core)
}

async function* deflated(chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pending: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of zlibDeflated(chunks)) {
    pending.push(chunk)
    bytes += chunk.length
    if (bytes < IDAT_BYTES) continue
    yield concat(pending.splice(0))
    bytes = 0
  }
  yield concat(pending)
}

function requireSize({ width, height }: Size): void {
  if (Math.max(width, height) <= MAX_SIDE_PX && width * height <= IMAGE_MAX_PIXELS) return
  throw new ImageRefusal(
    'over_budget',
    `two pictures joined must have at most ${IMAGE_MAX_PIXELS / MEGAPIXEL} megapixels and no side over ${MAX_SIDE_PX} pixels: received ${width} x ${height}`,
  )
}

/** Returns how much each image may hold while it is decoded, after the files and rotated images have their memory. */
function shareMemory(maxBytes: number, images: readonly SourceImage[], format: CoverFormat): number {
  const rotated = sum(images.map(({ image, size }) => (image.facts.orientation > 2 ? size.width * size.height : 0)))
  const rotatedBytes = rotated * ROTATED_BYTES_PER_PIXEL[format]
  if (rotatedBytes > ROTATED_MAX_BYTES) {
    const limit = ROTATED_MAX_BYTES / ROTATED_BYTES_PER_PIXEL[format] / MEGAPIXEL
    throw new ImageRefusal(
      'over_budget',
      `turned pictures to be joined as ${format} must have at most ${limit} megapixels together: received ${Math.ceil(rotated / MEGAPIXEL)}`,
    )
  }
  const files = sum(images.map(({ image }) => image.bytes.length))
  const held = images.filter(({ image, whole }) => !whole && isHeldWhileDecoded(image.facts)).length
  return Math.max(0, heldBytes('cover', maxBytes) - files - rotatedBytes) / Math.max(1, held)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
