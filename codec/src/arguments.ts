// Validates arguments: those that no image could satisfy throw a RangeError.

/** The box that an image is fitted into, upright and never enlarged; a side that is left out bounds nothing. */
export interface Box {
  width?: number
  height?: number
}

/** Throws RangeError unless each side that is given is a whole number of pixels, or bounds nothing. */
export function requireBox({ width, height }: Box): void {
  for (const [name, side] of Object.entries({ width, height })) {
    if (side === undefined || side === Number.POSITIVE_INFINITY || (Number.isInteger(side) && side >= 1)) continue
    throw new RangeError(`${name} must be a whole number of at least 1: received ${side}`)
  }
}

/** Throws RangeError unless it is a quality of a WebP. */
export function requireQuality(quality: number): void {
  if (quality >= 0 && quality <= 100) return
  throw new RangeError(`quality must be a number from 0 to 100: received ${quality}`)
}

/** Throws RangeError unless it is a number of bytes that there may be. */
export function requireMaxMemory(bytes: number): void {
  if (bytes > 0) return
  throw new RangeError(`maxMemoryBytes must be a number above 0: received ${bytes}`)
}
