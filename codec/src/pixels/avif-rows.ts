import { ROW_SLACK } from '../../assembly/arena/row-slack.ts'
import { ChromaSampling } from '../../assembly/pipeline/yuv-format.ts'
import type { Grid } from '../container/avif-sources.ts'
import type { Size } from '../format.ts'
import { ImageRefusal } from '../refusal.ts'
import { MIB } from '../units.ts'
import type { Coded, Nclx, Tiles } from './avif-obus.ts'
import { type Core, put, requireOk } from './core.ts'

/** Rows that are copied at once of an image whose tiles are not held. */
const BATCH_ROWS = 64
/** A row of tiles is held as a whole where it takes no more; else its tiles are decoded side by side. */
const HELD_TILES_MAX_BYTES = 8 * MIB

/** Where a grid has fewer tiles than it says. */
const NO_TILE: Coded = { units: new Uint8Array(), operatingPoint: 0, layer: 0 }

/** Where an image's decoders are, and where its rows go. */
export interface Decoders {
  /** Takes the rows of all images, and may decode one that is in one piece. */
  core: Core
  /** A core for one tile after the other. */
  borrow(): Core
  /**
   * Returns the memory left for an image that must be held. It is called when the tile is in its core's memory. Throws
   * ImageRefusal.
   */
  limit(): number
  /** Whether pixels pass the filters after the reconstruction. */
  isFiltered: boolean
}

/** Rows of planes, a byte a sample or two where colours are changed: where they are, and how far from each other. */
export interface PlaneRows {
  y: number
  cb: number
  cr: number
  stride: number
  chromaStride: number
}

/** An image whose rows come into the core's memory piece by piece. */
export interface AvifRows extends Size {
  sampling: ChromaSampling
  /** The coding of colours, by the AV1 data. */
  nclx: Nclx
  /** Returns the number of rows that were not taken. */
  ready(): number
  /** Takes so many of them: an even number, or the last ones. */
  take(rows: number): PlaneRows
  /** Decodes the next piece, once all rows of the one before were taken. Throws ImageRefusal. */
  fill(): Generator<void>
}

/** A tile that is being decoded, the first of whose rows were copied. */
export interface Tile extends Size {
  core: Core
  sampling: ChromaSampling
  copied: number
}

/** The form in which samples are handed on. */
export interface Narrowing {
  /** Whether they use all values. */
  isFullRange: boolean
  /** Whether planes are RGB. */
  isRgb: boolean
  /** Whether they are u16, 64ths of a level, instead of bytes. */
  isDeep: boolean
}

/** Opens the first tile of an image: in a core of its own, but where the image is in one piece and the core that takes its rows is `free`. */
export function openFirst(decoders: Decoders, { grid, data }: Tiles, free?: Core): Tile {
  return openTile(decoders, (!grid && free) || decoders.borrow(), data[0])
}

/**
 * The rows of an image, the first tile of which is open. Without `narrowing`, samples become bytes by the AV1 data. Throws
 * ImageRefusal.
 */
export function rowsOf(decoders: Decoders, { grid, data }: Tiles, first: Tile, narrowing?: Narrowing): AvifRows {
  narrow(first.core, narrowing)
  if (first.core === decoders.core) return directRows(first)
  const alone = { columns: 1, rows: 1, width: first.width, height: first.height }
  return copiedRows(decoders, data, grid ?? alone, first, narrowing)
}

/** Sets, before the first rows of a tile, the form of its samples. */
export function narrow(core: Core, narrowing?: Narrowing): void {
  if (narrowing) core.narrowAv1(narrowing.isFullRange, narrowing.isRgb, narrowing.isDeep)
}

/** Bytes of a sample that is handed on. */
export function sampleBytes(narrowing?: Narrowing): number {
  return narrowing?.isDeep ? 2 : 1
}

/** The rows of an image in one piece where its decoder has them. */
function directRows({ core, width, height, sampling }: Tile): AvifRows {
  let taken = 0
  return {
    width,
    height,
    sampling,
    nclx: nclxOf(core),
    ready: () => core.av1End() - taken,
    take(rows) {
      const skipped = taken - core.av1First()
      taken += rows
      const [stride, chromaStride] = [core.av1Stride(), core.av1ChromaStride()]
      const chroma = chromaRows(skipped, sampling) * chromaStride
      const [y, cb, cr] = [core.av1Plane(0) + skipped * stride, core.av1Plane(1) + chroma, core.av1Plane(2) + chroma]
      return { y, cb, cr, stride, chromaStride }
    },
    *fill() {
      while (core.av1End() === taken) {
        requireOk(core.stepAv1())
        yield
      }
    },
  }
}

/** The rows of an image in tiles, copied side by side. */
function copiedRows(
  decoders: Decoders,
  data: readonly Coded[],
  grid: Grid,
  first: Tile,
  narrowing: Narrowing | undefined,
): AvifRows {
  const { core } = decoders
  const { columns, width, height } = grid
  const { sampling } = first
  requireFit(grid, first)
  const [stride, chromaStride] = stridesOf(first, columns, narrowing)
  const chromaBytes = (rows: number) => chromaStride * chromaRows(rows, sampling)
  const isHeld = columns > 1 && rowBytes(first, columns, narrowing) <= HELD_TILES_MAX_BYTES
  const batchRows = isHeld ? first.height : BATCH_ROWS
  const batch = roomFor(core, first, columns, batchRows, narrowing)

  /** The opened tiles of the present row. */
  let tiles = [first]
  let tileRow = 0
  let top = 0
  let filled = 0
  let taken = 0

  /** The tile of this column, whose decoder is that of the row above, or of all tiles where those are held. */
  function tileOf(column: number, above: readonly Tile[]): Tile {
    const free = isHeld ? first.core : above[column]?.core
    const tile = openNext(decoders, free ?? decoders.borrow(), data[tileRow * columns + column], first)
    narrow(tile.core, narrowing)
    return tile
  }

  return {
    width,
    height,
    sampling,
    nclx: nclxOf(first.core),
    ready: () => filled - taken,
    take(rows) {
      const at = taken - top
      taken += rows
      const { y, cb, cr } = batch
      return { ...batch, y: y + at * stride, cb: cb + chromaBytes(at), cr: cr + chromaBytes(at) }
    },
    *fill() {
      const above = tiles
      if (filled === (tileRow + 1) * first.height) {
        tileRow++
        tiles = []
      }
      const rows = Math.min(batchRows, (tileRow + 1) * first.height - filled, height - filled)
      for (let column = 0; column < columns; column++) {
        const tile = tiles[column] ?? tileOf(column, above)
        tiles[column] = tile
        yield* copyRows(tile, core, batch, column, rows, narrowing)
      }
      top = filled
      filled += rows
    },
  }
}

/** Opens a tile that must be like the first one. Throws ImageRefusal. */
export function openNext(decoders: Decoders, core: Core, data: Coded | undefined, first: Tile): Tile {
  const tile = openTile(decoders, core, data)
  if (tile.width !== first.width || tile.height !== first.height || tile.sampling !== first.sampling) throw unlike()
  return tile
}

/** Room for so many rows of tiles side by side. */
export function roomFor(core: Core, first: Tile, columns: number, rows: number, narrowing?: Narrowing): PlaneRows {
  const [stride, chromaStride] = stridesOf(first, columns, narrowing)
  const chromaBytes = chromaStride * chromaRows(rows, first.sampling)
  const [y, cb, cr] = [stride * rows, chromaBytes, chromaBytes].map((bytes) => core.allocate(bytes + ROW_SLACK))
  return { y: y ?? 0, cb: cb ?? 0, cr: cr ?? 0, stride, chromaStride }
}

/** Bytes of a row of so many tiles. */
export function rowBytes(first: Tile, columns: number, narrowing: Narrowing | undefined): number {
  const [stride, chromaStride] = stridesOf(first, columns, narrowing)
  return stride * first.height + 2 * chromaStride * chromaRows(first.height, first.sampling)
}

function stridesOf(
  { width, sampling }: Tile,
  columns: number,
  narrowing: Narrowing | undefined,
): [luma: number, chroma: number] {
  const bytes = sampleBytes(narrowing) * columns
  return [wholeVectors(width * bytes), wholeVectors(chromaColumns(width, sampling) * bytes)]
}

function openTile(decoders: Decoders, core: Core, data = NO_TILE): Tile {
  if (core !== decoders.core) core.reset()
  const { units, operatingPoint, layer } = data
  const at = put(core, units)
  requireOk(core.openAv1(at, units.length, decoders.limit(), operatingPoint, layer, decoders.isFiltered))
  decoders.limit()
  return { core, width: core.av1Width(), height: core.av1Height(), sampling: core.av1Sampling(), copied: 0 }
}

/** The coding of colours by the AV1 data of a core. */
export function nclxOf(core: Core): Nclx {
  const points = core.av1Colours()
  const [primaries, transfer, matrix] = [points & 255, (points >> 8) & 255, (points >> 16) & 255]
  return { primaries, transfer, matrix, isFullRange: core.av1IsFullRange() !== 0 }
}

/** All tiles have the size of the first and cover the image; chroma is not shared by two of them. */
export function requireFit({ columns, rows, width, height }: Grid, tile: Tile): void {
  const covers = tile.width * columns >= width && tile.height * rows >= height
  const isEven =
    (columns === 1 || chromaColumns(2, tile.sampling) !== 1 || tile.width % 2 === 0) &&
    (rows === 1 || chromaRows(2, tile.sampling) !== 1 || tile.height % 2 === 0)
  if (!covers || !isEven) throw unlike()
}

function unlike(): ImageRefusal {
  return new ImageRefusal('unreadable', "an AVIF grid's tiles must be alike, of even size, and cover the picture")
}

/** Copies the next rows of a tile to the top of a piece, beside `column` tiles to its left; yields while they are decoded. */
export function* copyRows(
  tile: Tile,
  to: Core,
  batch: PlaneRows,
  column: number,
  rows: number,
  narrowing: Narrowing | undefined,
): Generator<void> {
  const { core: from, sampling } = tile
  const width = tile.width * sampleBytes(narrowing)
  const columns = chromaColumns(tile.width, sampling) * sampleBytes(narrowing)
  for (let done = 0; done < rows; ) {
    while (tile.copied === from.av1End()) {
      requireOk(from.stepAv1())
      yield
    }
    const count = Math.min(rows - done, from.av1End() - tile.copied)
    const skipped = tile.copied - from.av1First()
    const [source, target] = [new Uint8Array(from.memory.buffer), new Uint8Array(to.memory.buffer)]
    const copyPlane = (plane: number, stride: number, at: number, toStride: number, bytes: number, lines: number) => {
      for (let y = 0; y < lines; y++) {
        const row = plane + y * stride
        target.set(source.subarray(row, row + bytes), at + y * toStride + column * bytes)
      }
    }
    copyPlane(
      from.av1Plane(0) + skipped * from.av1Stride(),
      from.av1Stride(),
      batch.y + done * batch.stride,
      batch.stride,
      width,
      count,
    )
    const chromaAt = chromaRows(skipped, sampling) * from.av1ChromaStride()
    const chromaTo = chromaRows(done, sampling) * batch.chromaStride
    for (const [plane, start] of [batch.cb, batch.cr].entries()) {
      copyPlane(
        from.av1Plane(1 + plane) + chromaAt,
        from.av1ChromaStride(),
        start + chromaTo,
        batch.chromaStride,
        columns,
        chromaRows(count, sampling),
      )
    }
    done += count
    tile.copied += count
  }
}

/** Bytes of a row filled up to whole vectors, so that its last one changes nothing of the next row. */
export function wholeVectors(bytes: number): number {
  return (bytes + 15) & ~15
}

function chromaColumns(width: number, sampling: ChromaSampling): number {
  return sampling === ChromaSampling.Monochrome ? 0 : sampling === ChromaSampling.Yuv444 ? width : (width + 1) >> 1
}

function chromaRows(rows: number, sampling: ChromaSampling): number {
  return sampling === ChromaSampling.Monochrome ? 0 : sampling === ChromaSampling.Yuv420 ? (rows + 1) >> 1 : rows
}
