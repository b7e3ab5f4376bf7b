import { ROW_SLACK } from '../../assembly/arena/row-slack.ts'
import { Status } from '../../assembly/status.ts'
import type { Picture } from '../picture.ts'
import type { AnyFacts } from '../probe.ts'
import { findAvifObus } from './avif-obus.ts'
import { avifSteps } from './avif-steps.ts'
import { type Core, put, requireOk, stepUntilDone } from './core.ts'
import type { GiveWay } from './give-way.ts'
import { pngSteps } from './png-steps.ts'
import type { Raster } from './raster.ts'
import { findFirstFrame } from './webp-file.ts'
import { webpSteps } from './webp-steps.ts'

/** A decoder at work: after each step there may be rows to pull. Throws ImageRefusal. */
export type Steps = AsyncGenerator<void, void>

/** Whether the picture's rows cannot be had in order, so that something of all of it must be held. */
export function isHeldWhileDecoded(facts: AnyFacts): boolean {
  return (
    (facts.format === 'jpeg' && facts.scans > 1) ||
    (facts.format === 'png' && facts.interlaced) ||
    facts.format === 'avif'
  )
}

/** How a picture may be decoded. */
export interface DecodeOptions {
  /** At how many times the size wanted a JPEG is decoded at least, where it has that much; the next where one does not fit. */
  oversamplings: readonly number[]
  /** Memory for what must be held of a picture whose rows cannot be had in order. */
  heldMaxBytes: number
}

/** Decodes the first frame of a picture, or its `whole` pixels where it has them, step by step into what the core was told to make. */
export function decodeSteps(core: Core, picture: Picture, whole: Raster | undefined, options: DecodeOptions): Steps {
  if (whole) return rasterSteps(core, whole)
  const { bytes, facts } = picture
  switch (facts.format) {
    case 'jpeg':
      return jpegSteps(core, bytes, options)
    case 'png':
      return pngSteps(core, bytes, options.heldMaxBytes)
    case 'gif':
      return gifSteps(core, bytes)
    case 'webp':
      return webpSteps(core, findFirstFrame(bytes))
    case 'avif':
      return avifSteps(core, findAvifObus(bytes), options.heldMaxBytes)
  }
}

/** Decodes all of a picture, and gives way between its steps. Throws ImageRefusal. */
export async function decodeAll(steps: Steps, giveWay: GiveWay): Promise<void> {
  for await (const _ of steps) await giveWay()
}

/** Pixels that were decoded elsewhere. */
async function* rasterSteps(core: Core, { width, height, rgba }: Raster): Steps {
  const row = core.allocate(width * 4 + ROW_SLACK)
  core.openRgba(width, height)
  for (let y = 0; y < height; y++) {
    new Uint8Array(core.memory.buffer).set(rgba.subarray(y * width * 4, (y + 1) * width * 4), row)
    core.feedRgba(row, 1)
    yield
  }
  requireOk(core.finish())
  yield
}

async function* jpegSteps(core: Core, bytes: Uint8Array, { oversamplings, heldMaxBytes }: DecodeOptions): Steps {
  const file = put(core, bytes)
  let status = Status.OverBudget
  for (const oversampling of oversamplings) {
    requireOk(core.openJpeg(file, bytes.length))
    status = core.startJpeg(oversampling, core.peakBytes() + heldMaxBytes)
    if (status !== Status.OverBudget) break
  }
  requireOk(status)
  yield* stepUntilDone(() => core.stepJpeg())
}

async function* gifSteps(core: Core, bytes: Uint8Array): Steps {
  requireOk(core.openGif(put(core, bytes), bytes.length))
  yield* stepUntilDone(() => core.stepGif())
}
