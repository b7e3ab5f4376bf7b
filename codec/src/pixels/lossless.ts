import type { Size } from '../format.ts'
import type { ProbedImage } from '../probed-image.ts'
import { type Core, take } from './core.ts'
import type { Cores } from './cores.ts'
import type { Raster } from './raster.ts'
import { takeUprightRows } from './upright-rows.ts'

/**
 * Images of so few pixels are coded in all four ways, others in the two that seem the best: which it is, only their bytes
 * tell.
 */
const SMALL_MAX_PIXELS = 1 << 18
const TRIES = { small: 4, large: 2 }

/** It is not tried where the first look, and the file itself, both tell that it would be so many times too large. */
const HOPELESS = 3

/**
 * A VP8L stream of an image's pixels at this size, exact where it is not resized; undefined where it would have more than
 * `maxBytes`. The image is decoded twice: first to see its colours, then as far as the stream is not too long. Throws
 * ImageRefusal.
 */
export async function encodeLossless(
  cores: Cores,
  core: Core,
  image: ProbedImage,
  whole: Raster | undefined,
  size: Size,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const eachRow = (take: (row: number) => boolean) =>
    takeUprightRows(cores, core, image, whole, size, take, { isExact: true })
  let surveyed = 0
  await eachRow((row) => {
    if (surveyed++ === 0) core.startLosslessSurvey(size.width)
    core.surveyLosslessRow(row)
    return true
  })
  if (Math.min(core.finishLosslessSurvey(), image.bytes.length) > HOPELESS * maxBytes) return undefined
  let best: Uint8Array<ArrayBuffer> | undefined
  let tried = 0
  const tries = size.width * size.height > SMALL_MAX_PIXELS ? TRIES.large : TRIES.small
  for (let i = 0; i < tries; i++) {
    const coding = core.nextLosslessCoding(tried)
    if ((tried & (1 << coding)) !== 0) break
    tried |= 1 << coding
    const mostBytes = best ? best.length - 1 : maxBytes
    let rows = 0
    core.reset()
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
