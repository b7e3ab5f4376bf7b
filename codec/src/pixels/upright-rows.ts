import { ROW_SLACK } from '../../assembly/arena/row-slack.ts'
import type { Size } from '../format.ts'
import type { ProbedImage } from '../probed-image.ts'
import type { Core } from './core.ts'
import type { Cores } from './cores.ts'
import { wholeSource } from './decode.ts'
import { decodeSteps } from './decode-steps.ts'
import type { Raster } from './raster.ts'

/**
 * Decodes an image, or its `whole` pixels, into upright rows of RGBA, and hands the address of each to `take`, until that returns
 * false; whether it never did. `isExact`: no pixel is changed where none is resized. Throws ImageRefusal.
 */
export async function takeUprightRows(
  cores: Cores,
  core: Core,
  image: ProbedImage,
  whole: Raster | undefined,
  size: Size,
  take: (row: number) => boolean | Promise<boolean>,
  { isExact = false } = {},
): Promise<boolean> {
  core.toUprightRows(size.width, size.height, image.facts.orientation, false)
  if (isExact) core.wantExact()
  const row = core.allocate(size.width * 4 + ROW_SLACK)
  const yieldIfDue = cores.createYielder(image.facts.size.width)
  const steps = decodeSteps(core, wholeSource(cores, image, whole, size))
  try {
    for (const _ of steps) {
      await yieldIfDue()
      while (core.nextUprightRow(row)) {
        const more = take(row)
        if (!(typeof more === 'boolean' ? more : await more)) return false
      }
    }
  } finally {
    steps.return()
  }
  return true
}
