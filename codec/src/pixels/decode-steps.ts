import { ROW_SLACK } from '../../assembly/arena/row-slack.ts'
import { Status } from '../../assembly/status.ts'
import { findInkProfile } from '../colours/colour-profile.ts'
import { readInkProfile } from '../colours/ink-profile.ts'
import type { JpegFacts } from '../probe/jpeg.ts'
import type { AnyFacts } from '../probe.ts'
import type { ProbedImage } from '../probed-image.ts'
import { findAvifObus } from './avif-obus.ts'
import { avifSource } from './avif-source.ts'
import { type Core, put, requireOk } from './core.ts'
import type { Cores } from './cores.ts'
import { pngSource } from './png-source.ts'
import type { Raster } from './raster.ts'
import type { Source } from './source.ts'
import { findFirstFrame } from './webp-file.ts'
import { webpSource } from './webp-source.ts'
import type { YieldIfDue } from './yielder.ts'

/** A decoder at work: after each step there may be rows to pull. Throws ImageRefusal. */
export type Steps = Generator<void, void>

/** Whether the image's rows cannot be had in order, so that something of all of it must be held. */
export function isHeldWhileDecoded(facts: AnyFacts): boolean {
  return (
    (facts.format === 'jpeg' && facts.scans > 1) ||
    (facts.format === 'png' && facts.interlaced) ||
    facts.format === 'avif'
  )
}

/** Limits of the decoding of an image. */
interface DecodeOptions {
  /** At how many times the size wanted a JPEG is decoded at least, where it has that much; the next where one does not fit. */
  oversamplings: readonly number[]
  /** Memory for what must be held of an image whose rows cannot be had in order. */
  heldMaxBytes: number
  /** The size of the image, relative to that of the largest output; 1 if that is not known. */
  scale?: number
}

/**
 * Returns the source for the first frame of an image, or for its `whole` pixels if there are any. Throws ImageRefusal.
 */
export function sourceOf(cores: Cores, image: ProbedImage, whole: Raster | undefined, options: DecodeOptions): Source {
  if (whole) return rasterSource(whole)
  const { bytes, facts } = image
  switch (facts.format) {
    case 'jpeg':
      return jpegSource(bytes, facts, options)
    case 'png':
      return pngSource(bytes, options.heldMaxBytes)
    case 'gif':
      return { open: (core) => core.openGif(put(core, bytes), bytes.length) }
    case 'webp':
      return webpSource(findFirstFrame(bytes))
    case 'avif':
      return avifSource(cores, findAvifObus(bytes), options)
  }
}

/**
 * Decodes a source into what the core was told to make: open, step by step, finish. Ended early, it must be told so (`return()`).
 * Throws ImageRefusal.
 */
export function* decodeSteps(core: Core, source: Source): Steps {
  try {
    requireOk(source.open(core))
    for (let status: number = Status.More; status !== Status.Ok; ) {
      status = core.step()
      requireOk(status)
      if (status === Status.NeedsInput) yield* source.give?.(core) ?? []
      else yield
    }
    requireOk(core.finish())
    yield
  } finally {
    source.close?.()
  }
}

/** Decodes all of a source, and yields between its steps. Throws ImageRefusal. */
export async function decodeAll(core: Core, source: Source, yieldIfDue: YieldIfDue): Promise<void> {
  for (const _ of decodeSteps(core, source)) await yieldIfDue()
}

/** Pixels that were decoded elsewhere. */
function rasterSource({ width, height, rgba }: Raster): Source {
  let row = 0
  let y = 0
  return {
    open(core) {
      row = core.allocate(width * 4 + ROW_SLACK)
      core.openRgba(width, height)
      return Status.Ok
    },
    *give(core) {
      new Uint8Array(core.memory.buffer).set(rgba.subarray(y * width * 4, (y + 1) * width * 4), row)
      core.feedRgba(row, 1)
      y++
      yield
    },
  }
}

function jpegSource(bytes: Uint8Array, facts: JpegFacts, { oversamplings, heldMaxBytes }: DecodeOptions): Source {
  const profile = findInkProfile(bytes, facts)
  const grid = profile && readInkProfile(profile)
  return {
    open(core) {
      core.setInkGrid(grid ? put(core, grid) : 0)
      const file = put(core, bytes)
      let status: number = Status.OverBudget
      for (const oversampling of oversamplings) {
        requireOk(core.openJpeg(file, bytes.length))
        status = core.startJpeg(oversampling, core.peakBytes() + heldMaxBytes)
        if (status !== Status.OverBudget) break
      }
      return status
    },
  }
}
