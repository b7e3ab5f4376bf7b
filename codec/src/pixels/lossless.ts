import type { Size } from '../format.ts'
import type { ProbedImage } from '../probed-image.ts'
import { type Core, take } from './core.ts'
import type { Cores } from './cores.ts'
import type { Raster } from './raster.ts'
import { takeUprightRows } from './upright-rows.ts'
import type { YieldIfDue } from './yielder.ts'

/** An image is coded in the ways that seem about the best, in this many at most: which it is, only their bytes tell. */
const MAX_TRIES = 4

/**
 * It is not tried where the first look, and the file itself, both tell that it would be so many times too large. The first look
 * knows of no repetitions.
 */
const HOPELESS = { file: 3, held: 1.5 }

/** A step of a yielder is counted as so many rows. */
const ROWS_OF_A_STEP = 16

/** Hands the address of each upright row of RGBA to `take`, until that returns false; whether it never did. */
type EachRow = (take: (row: number) => boolean) => Promise<boolean>

/**
 * A VP8L stream of an image's pixels at this size, exact where it is not resized; undefined where it would have more than
 * `maxBytes`. The image is decoded twice: first to see its colours, then as far as the stream is not too long. Throws
 * ImageRefusal.
 */
export function encodeLossless(
  cores: Cores,
  core: Core,
  image: ProbedImage,
  whole: Raster | undefined,
  size: Size,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const eachRow: EachRow = (take) => takeUprightRows(cores, core, image, whole, size, take, { isExact: true })
  const begin = () => core.reset()
  const isHopeless = (bytes: number) => Math.min(bytes, image.bytes.length) > HOPELESS.file * maxBytes
  return encodeRows(core, { eachRow, begin, size, maxBytes, isHopeless })
}

/**
 * A VP8L stream of the held pixels of output `i`; undefined if none are held, or if it would have more than `maxBytes`. The memory
 * of its lossy file is freed.
 */
export async function encodeHeldPixels(
  core: Core,
  i: number,
  size: Size,
  maxBytes: number,
  yieldIfDue: YieldIfDue,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pixels = core.heldPixels(i)
  if (pixels === 0) return undefined
  const eachRow: EachRow = async (take) => {
    for (let y = 0; y < size.height; y++) {
      if (!take(pixels + y * size.width * 4)) return false
      if (y % ROWS_OF_A_STEP === 0) await yieldIfDue()
    }
    return true
  }
  core.freeEncoder()
  const begin = () => core.freeEncoder()
  const isHopeless = (bytes: number) => bytes > HOPELESS.held * maxBytes
  return encodeRows(core, { eachRow, begin, size, maxBytes, isHopeless })
}

interface Rows {
  eachRow: EachRow
  /** Frees the memory of the try before. */
  begin: () => void
  size: Size
  maxBytes: number
  /** Whether it is not worth a try, by the size that the survey estimates. */
  isHopeless: (bytes: number) => boolean
}

async function encodeRows(
  core: Core,
  { eachRow, begin, size, maxBytes, isHopeless }: Rows,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let surveyed = 0
  await eachRow((row) => {
    if (surveyed++ === 0) core.startLosslessSurvey(size.width)
    core.surveyLosslessRow(row)
    return true
  })
  if (isHopeless(core.finishLosslessSurvey())) return undefined
  let best: Uint8Array<ArrayBuffer> | undefined
  let tried = 0
  for (let i = 0; i < MAX_TRIES; i++) {
    const coding = core.nextLosslessCoding(tried)
    if ((tried & (1 << coding)) !== 0) break
    tried |= 1 << coding
    const mostBytes = best ? best.length - 1 : maxBytes
    let rows = 0
    begin()
    const isShort = await eachRow((row) => {
      // Only now has the decoder the memory that it takes.
      if (rows++ === 0) core.startLossless(size.width, size.height, coding)
      core.addLosslessRow(row)
      return core.losslessBytes() <= mostBytes
    })
    if (!isShort) continue
    core.finishLossless()
    if (core.streamBytes() <= mostBytes) best = take(core, core.streamStart(), core.streamBytes())
  }
  return best
}
