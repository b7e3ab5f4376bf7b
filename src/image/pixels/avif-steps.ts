import { AlphaKind, ChromaSampling } from '../../codec/pipeline/yuv-format.ts'
import { ROW_SLACK } from '../../codec/row-slack.ts'
import { type Av1Coding, readSequence } from '../container/av1-sequence.ts'
import { ImageRefusal } from '../refusal.ts'
import type { AvifObus, Tiles } from './avif-obus.ts'
import { outOfMemory } from './budget.ts'
import { type Core, requireOk } from './core.ts'
import type { Av1Decoder, YuvPicture } from './dav1d.ts'
import { dropWaiting } from './instances.ts'
import { copyRows, feedRows, makePlaneBuffer, type PlaneBuffer, wholeVectors } from './plane-buffer.ts'

/** Rows that are copied at once, and those of a step: what shares a row of chroma. */
const PIECE_ROWS = 64
const STEP_ROWS = 2
const SAMPLINGS: Record<Av1Coding['chroma'], ChromaSampling> = {
  '4:0:0': ChromaSampling.Monochrome,
  '4:2:0': ChromaSampling.Yuv420,
  '4:2:2': ChromaSampling.Yuv422,
  '4:4:4': ChromaSampling.Yuv444,
}

/** One picture's decoding: `maxBytes` are shared by the decoder's memory and what is held in the core's. */
interface Job {
  core: Core
  av1: Av1Decoder
  coded: AvifObus
  maxBytes: number
  heldBytes: number
}

/** Alpha of all of the picture in the core's memory, 0 to 255. */
interface HeldAlpha {
  at: number
  stride: number
  width: number
  height: number
}

/**
 * Decodes the AV1 data of an AVIF step by step into what the core was told to make. The decoder, and what is held in the core while it
 * is at work, may take `maxBytes`. Ended early, it must be told so (`return()`). Throws ImageRefusal.
 */
export async function* avifSteps(core: Core, coded: AvifObus, maxBytes: number): AsyncGenerator<void, void> {
  const { borrowAv1, giveBackAv1 } = await import('./dav1d.ts')
  const av1 = borrowAv1()
  dropWaiting()
  try {
    yield* planeSteps({ core, av1, coded, maxBytes, heldBytes: 0 })
  } finally {
    giveBackAv1(av1)
  }
  requireOk(core.finish())
  yield
}

/** Alpha first, as a whole; then the colours, a row of tiles after the other. */
function* planeSteps(job: Job): Generator<void> {
  const { core, coded } = job
  const { grid, data } = coded.colour
  const alpha = coded.alpha && holdAlpha(job, coded.alpha)
  const columns = grid?.columns ?? 1
  let buffer: PlaneBuffer | undefined
  let first: YuvPicture | undefined
  for (let row = 0; row < data.length / columns; row++) {
    for (let column = 0; column < columns; column++) {
      const tile = decode(job, data[row * columns + column])
      first ??= tile
      requireAlike(coded.colour, first, tile)
      buffer ??= open(job, tile, alpha)
      const rows = Math.min(tile.height, (grid?.height ?? tile.height) - row * tile.height)
      if (columns > 1) copyRows(core, buffer, tile, 0, tile.height, column)
      if (column < columns - 1) continue
      for (let y = 0; y < rows; y += STEP_ROWS) {
        if (columns === 1 && y % PIECE_ROWS === 0) copyRows(core, buffer, tile, y, Math.min(PIECE_ROWS, rows - y), 0)
        const alphaRow = alphaAt(alpha, row * tile.height + y)
        feedRows(core, buffer, columns === 1 ? y % PIECE_ROWS : y, Math.min(STEP_ROWS, rows - y), alphaRow)
        yield
      }
    }
  }
}

function decode({ av1, maxBytes, heldBytes }: Job, obus: Uint8Array = new Uint8Array()): YuvPicture {
  return av1.decode(obus, readSequence(obus), maxBytes - heldBytes)
}

/** Takes memory of the core, as much as is left. */
function hold(job: Job, bytes: number): number {
  job.heldBytes += bytes
  if (job.av1.bytes() + job.heldBytes > job.maxBytes) {
    throw outOfMemory()
  }
  return job.core.allocate(bytes + ROW_SLACK)
}

/** All tiles have the size and the coding of the first and cover the picture; chroma is not shared by two of them. */
function requireAlike({ grid }: Tiles, { width, height, chroma }: YuvPicture, tile: YuvPicture): void {
  if (!grid) return
  const isAlike = tile.width === width && tile.height === height && tile.chroma === chroma
  const covers = width * grid.columns >= grid.width && height * grid.rows >= grid.height
  const isEven =
    (grid.columns === 1 || width % 2 === 0 || chroma === '4:4:4' || chroma === '4:0:0') &&
    (grid.rows === 1 || height % 2 === 0 || chroma !== '4:2:0')
  if (!isAlike || !covers || !isEven) {
    throw new ImageRefusal('unreadable', "an AVIF grid's tiles must be alike, of even size, and cover the picture")
  }
}

/** Tells the core what comes, and makes room for rows of it. */
function open(job: Job, first: YuvPicture, alpha: HeldAlpha | undefined): PlaneBuffer {
  const { core, coded } = job
  const { grid, data } = coded.colour
  const { width, height } = grid ?? first
  if (alpha && (alpha.width < width || alpha.height < height)) {
    throw new ImageRefusal('unreadable', "an AVIF's alpha must be as large as its picture")
  }
  const { matrix, isFullRange } = coded.colours ?? readSequence(data[0] ?? new Uint8Array())
  const alphaKind = !alpha ? AlphaKind.None : coded.isPremultiplied ? AlphaKind.Premultiplied : AlphaKind.Straight
  core.openYuv(width, height, SAMPLINGS[first.chroma], matrix, isFullRange, alphaKind)
  const columns = grid?.columns ?? 1
  const rows = columns === 1 ? Math.min(PIECE_ROWS, first.height) : first.height
  return makePlaneBuffer(first, columns, rows, (bytes) => hold(job, bytes))
}

/** Decodes the alpha of a picture and keeps it, its values spread over 0 to 255. */
function holdAlpha(job: Job, { grid, data }: Tiles): HeldAlpha {
  const { core } = job
  const columns = grid?.columns ?? 1
  const sequence = readSequence(data[0] ?? new Uint8Array())
  const room = grid ?? sequence
  const stride = wholeVectors(room.width)
  const at = hold(job, stride * room.height)
  let { width, height } = room
  for (const [i, obus] of data.entries()) {
    const tile = decode(job, obus)
    if (!grid) [width, height] = [tile.width, tile.height]
    const [left, top] = [(i % columns) * tile.width, Math.floor(i / columns) * tile.height]
    const bytes = Math.min(tile.width, room.width - left)
    const rows = Math.min(tile.height, room.height - top)
    const target = new Uint8Array(core.memory.buffer)
    for (let y = 0; y < rows && bytes > 0; y++) {
      const row = tile.y + y * tile.yStride
      target.set(tile.memory.subarray(row, row + bytes), at + (top + y) * stride + left)
    }
  }
  if (!sequence.isFullRange) core.expandRange(at, stride * room.height)
  return { at, stride, width, height }
}

function alphaAt(alpha: HeldAlpha | undefined, row: number): { at: number; stride: number } {
  return alpha ? { at: alpha.at + row * alpha.stride, stride: alpha.stride } : { at: 0, stride: 0 }
}
