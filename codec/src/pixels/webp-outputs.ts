import { Status } from '../../assembly/status.ts'
import type { Size } from '../format.ts'
import type { OutputColours } from '../output-colours.ts'
import type { Picture } from '../picture.ts'
import { HELD_OUTPUTS_MAX_BYTES } from './budget.ts'
import { type Core, changeColours, requireOk, view } from './core.ts'
import type { Cores } from './cores.ts'
import { decodeInto } from './decode.ts'
import type { Raster } from './raster.ts'
import { extendWebp } from './webp-file.ts'

/** A WebP that is wanted of an image: its size, upright, its quality from 0 to 100, and whether a large profile goes with it. */
export interface WebpOutput {
  size: Size
  quality: number
  keepsProfile?: boolean
}

/** As many targets as the module's sink takes. */
const MAX_TOGETHER = 8
/** Luma, a quarter of it of either chroma, and alpha. */
const HELD_BYTES_PER_PIXEL = 2.5

/**
 * Which outputs are made of one decode: the largest, and as many of the smallest as may be held until the encoder is free. Then
 * so of those that are left.
 */
export function passesOf(outputs: readonly WebpOutput[]): WebpOutput[][] {
  const left = outputs.toSorted((a, b) => areaOf(a) - areaOf(b))
  const passes: WebpOutput[][] = []
  for (let largest = left.pop(); largest; largest = left.pop()) {
    const together = [largest]
    let heldBytes = 0
    for (let next = left[0]; next && together.length < MAX_TOGETHER; next = left[0]) {
      heldBytes += areaOf(next) * HELD_BYTES_PER_PIXEL
      if (heldBytes > HELD_OUTPUTS_MAX_BYTES) break
      together.push(next)
      left.shift()
    }
    passes.push(together)
  }
  return passes
}

/**
 * Decodes an image, or its `whole` pixels, once, and returns the file of each output. The largest is the first. Throws
 * ImageRefusal.
 */
export async function encodeWebps(
  cores: Cores,
  core: Core,
  picture: Picture,
  whole: Raster | undefined,
  outputs: readonly WebpOutput[],
  { profile, change }: OutputColours,
): Promise<Uint8Array[]> {
  const [largest, ...smaller] = outputs
  if (!largest) return []
  const { facts } = picture
  want(core.toWebp, largest)
  for (const output of smaller) want(core.alsoToWebp, output)
  changeColours(core, change)
  // The first WebP is made while the image is decoded: the pixels are never all there.
  await decodeInto(cores, core, picture, whole, largest.size)
  const giveWay = cores.createGiveWay(facts.size.width)
  const files: Uint8Array[] = []
  for (const { size } of outputs) {
    if (files.length > 0) core.nextWebp()
    for (let left = encodePiece(core); left; left = encodePiece(core)) await giveWay()
    const alpha = core.alphaBytes() > 0 ? view(core, core.alphStart(), core.alphaBytes()) : undefined
    files.push(extendWebp(view(core, core.fileStart(), core.fileBytes()), size, { alpha, profile }))
  }
  return files

  function want(to: Core['toWebp'], { size, quality }: WebpOutput) {
    to(size.width, size.height, facts.orientation, quality)
  }
}

/** Encodes a piece of what was held; false after the last. */
function encodePiece(core: Core): boolean {
  const status = core.finishWebp()
  requireOk(status)
  return status === Status.More
}

function areaOf({ size }: WebpOutput): number {
  return size.width * size.height
}
