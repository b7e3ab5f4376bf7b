import { ROW_SLACK } from '../../assembly/arena/row-slack.ts'
import { ChromaSampling, YUV_ROWS_AT_ONCE } from '../../assembly/pipeline/yuv-format.ts'
import type { Size } from '../format.ts'
import { type AvifRows, wholeVectors } from './avif-rows.ts'
import { type Core, view } from './core.ts'

/** A sample between two others: the first of them, the one after it, and how far it is on the way there. */
interface Between {
  first: number
  next: number
  share: number
}

/**
 * The luma of an image at another size, by linear interpolation between the centres of its samples. So Chromium shows the alpha of
 * an AVIF that was coded smaller than its item is said to be.
 */
export function stretchedRows(core: Core, rows: AvifRows, { width, height }: Size): AvifRows {
  const stride = wholeVectors(width)
  const batch = core.allocate(stride * YUV_ROWS_AT_ONCE + ROW_SLACK)
  const columns = Array.from({ length: width }, (_, x) => sampleFor(x, width, rows.width))
  // The last two rows that were read, stretched to the width.
  let [above, below] = [new Float32Array(width), new Float32Array(width)]
  let read = 0
  let filled = 0
  let top = 0
  let taken = 0

  function readRow(): void {
    const samples = view(core, rows.take(1).y, rows.width)
    ;[above, below] = [below, above]
    read++
    for (let x = 0; x < width; x++) {
      const { first, next, share } = columns[x] ?? { first: 0, next: 0, share: 0 }
      const left = samples[first] ?? 0
      below[x] = left + ((samples[next] ?? 0) - left) * share
    }
  }

  return {
    width,
    height,
    sampling: ChromaSampling.Monochrome,
    nclx: rows.nclx,
    ready: () => filled - taken,
    take(count) {
      const y = batch + (taken - top) * stride
      taken += count
      return { y, cb: y, cr: y, stride, chromaStride: stride }
    },
    *fill() {
      top = filled
      for (const end = Math.min(top + YUV_ROWS_AT_ONCE, height); filled < end; filled++) {
        const { first, next, share } = sampleFor(filled, height, rows.height)
        while (read <= next) {
          if (rows.ready() === 0) yield* rows.fill()
          readRow()
        }
        const from = first === next ? below : above
        const to = view(core, batch + (filled - top) * stride, width)
        for (let x = 0; x < width; x++) {
          const upper = from[x] ?? 0
          to[x] = Math.round(upper + ((below[x] ?? 0) - upper) * share)
        }
      }
    },
  }
}

/** Where the sample `at` of `count` lies among `among` of them. */
function sampleFor(at: number, count: number, among: number): Between {
  const position = Math.max(0, Math.min(among - 1, ((at + 0.5) * among) / count - 0.5))
  const first = Math.floor(position)
  return { first, next: Math.min(first + 1, among - 1), share: position - first }
}
