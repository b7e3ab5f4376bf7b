import type { Size } from '../format.ts'
import { blankRaster, isOpaque, type Raster } from './raster.ts'

/** Lobes of the Lanczos window on each side. */
const LOBES = 3

/** A picture more than this many times too large is averaged over whole pixels first, which is cheap and hardly seen. */
const LANCZOS_MAX_RATIO = 4

/** What one pixel of the result is made of: neighbours from `first` on, and how much of each. */
interface Kernel {
  first: number
  weights: Float32Array
}

/**
 * The picture at a smaller (or the same) size: Lanczos3, alpha multiplied in before and divided out after. Works row by row:
 * besides the two rasters it holds a few rows of numbers.
 */
export function resample(source: Raster, size: Size): Raster {
  if (source.width === size.width && source.height === size.height) return source
  const opaque = isOpaque(source)
  const columns = shrinkFactor(source.width, size.width)
  const rows = shrinkFactor(source.height, size.height)
  const shrunkWidth = Math.ceil(source.width / columns)
  const shrunkHeight = Math.ceil(source.height / rows)
  const across = makeKernels(source.width / columns, shrunkWidth, size.width)
  const down = makeKernels(source.height / rows, shrunkHeight, size.height)

  const target = blankRaster(size)
  const shrunkRow = new Float32Array(shrunkWidth * 4)
  const sum = new Float32Array(size.width * 4)
  // Rows already resampled across, as long as a row of the result needs them.
  const live: Float32Array[] = []
  let firstLive = 0

  down.forEach(({ first, weights }, y) => {
    live.splice(0, first - firstLive)
    firstLive = Math.max(firstLive, first)
    for (let row = firstLive + live.length; row < first + weights.length; row++) {
      shrinkRows(source, { row, rows, columns, opaque }, shrunkRow)
      live.push(resampleRow(shrunkRow, across))
    }
    sum.fill(0)
    weights.forEach((weight, i) => {
      addWeighted(sum, live[i], weight)
    })
    storeRow(sum, target, y, opaque)
  })
  return target
}

function shrinkFactor(from: number, to: number): number {
  return Math.max(1, Math.floor((2 * from) / (LANCZOS_MAX_RATIO * to)))
}

/** `extent` is the source's length in its own (shrunk) pixels, of which the last may be a part; `count` their number. */
function makeKernels(extent: number, count: number, targetCount: number): Kernel[] {
  const ratio = extent / targetCount
  const stretch = Math.max(1, ratio)
  return Array.from({ length: targetCount }, (_, i) => {
    const centre = (i + 0.5) * ratio
    const first = Math.max(0, Math.ceil(centre - LOBES * stretch - 0.5))
    const last = Math.min(count - 1, Math.floor(centre + LOBES * stretch - 0.5))
    const weights = Float32Array.from({ length: last - first + 1 }, (_, tap) =>
      lanczos((first + tap + 0.5 - centre) / stretch),
    )
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    return { first, weights: weights.map((weight) => weight / total) }
  })
}

function lanczos(x: number): number {
  if (x === 0) return 1
  if (Math.abs(x) >= LOBES) return 0
  const angle = Math.PI * x
  return (LOBES * Math.sin(angle) * Math.sin(angle / LOBES)) / (angle * angle)
}

/** Averages blocks of `columns` x `rows` pixels into one row; colours come out multiplied by alpha (0 to 1), alpha as 0 to 255. */
function shrinkRows(
  { rgba, width, height }: Raster,
  { row, rows, columns, opaque }: { row: number; rows: number; columns: number; opaque: boolean },
  into: Float32Array,
): void {
  into.fill(0)
  const top = row * rows
  const bottom = Math.min(height, top + rows)
  for (let y = top; y < bottom; y++) {
    let at = y * width * 4
    for (let x = 0, to = 0; x < width; to += 4) {
      const blockEnd = Math.min(width, x + columns)
      let [red, green, blue, alphas] = [0, 0, 0, 0]
      for (; x < blockEnd; x++, at += 4) {
        const alpha = rgba[at + 3] ?? 0
        const share = opaque ? 1 : alpha / 255
        red += share * (rgba[at] ?? 0)
        green += share * (rgba[at + 1] ?? 0)
        blue += share * (rgba[at + 2] ?? 0)
        alphas += alpha
      }
      into[to] = (into[to] ?? 0) + red
      into[to + 1] = (into[to + 1] ?? 0) + green
      into[to + 2] = (into[to + 2] ?? 0) + blue
      into[to + 3] = (into[to + 3] ?? 0) + alphas
    }
  }
  const lastBlockWidth = width - (into.length / 4 - 1) * columns
  for (let to = 0; to < into.length; to++) {
    const blockWidth = to < into.length - 4 ? columns : lastBlockWidth
    into[to] = (into[to] ?? 0) / (blockWidth * (bottom - top))
  }
}

function resampleRow(row: Float32Array, kernels: Kernel[]): Float32Array {
  const result = new Float32Array(kernels.length * 4)
  kernels.forEach(({ first, weights }, x) => {
    let [red, green, blue, alpha] = [0, 0, 0, 0]
    for (let i = 0, at = first * 4; i < weights.length; i++, at += 4) {
      const weight = weights[i] ?? 0
      red += weight * (row[at] ?? 0)
      green += weight * (row[at + 1] ?? 0)
      blue += weight * (row[at + 2] ?? 0)
      alpha += weight * (row[at + 3] ?? 0)
    }
    result[x * 4] = red
    result[x * 4 + 1] = green
    result[x * 4 + 2] = blue
    result[x * 4 + 3] = alpha
  })
  return result
}

function addWeighted(sum: Float32Array, row: Float32Array | undefined, weight: number): void {
  if (!row) return
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (row[i] ?? 0)
}

/** Clamping and rounding to bytes are the array's own. */
function storeRow(row: Float32Array, { rgba, width }: Raster, y: number, opaque: boolean): void {
  const start = y * width * 4
  for (let i = 0; i < row.length; i += 4) {
    const alpha = row[i + 3] ?? 0
    const scale = opaque ? 1 : alpha > 0 ? 255 / alpha : 0
    rgba[start + i] = (row[i] ?? 0) * scale
    rgba[start + i + 1] = (row[i + 1] ?? 0) * scale
    rgba[start + i + 2] = (row[i + 2] ?? 0) * scale
    rgba[start + i + 3] = opaque ? 255 : alpha
  }
}
