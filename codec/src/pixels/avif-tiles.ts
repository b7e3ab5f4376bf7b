import { ChromaSampling, YUV_ROWS_AT_ONCE } from '../../assembly/pipeline/yuv-format.ts'
import type { Grid } from '../container/avif-sources.ts'
import { MIB } from '../units.ts'
import type { AvifObus, Coded, Tiles } from './avif-obus.ts'
import {
  copyRows,
  type Decoders,
  type Narrowing,
  narrow,
  openNext,
  type PlaneRows,
  requireFit,
  roomFor,
  rowBytes,
  sampleBytes,
  type Tile,
} from './avif-rows.ts'
import type { Core } from './core.ts'
import { oversamplingFor } from './oversampling.ts'

/** Memory for a row of tiles, or its means, and for the outputs. */
const HELD_TILES_MAX_BYTES = 6 * MIB
/** Samples and what their encoder holds, of the largest output. */
const OUTPUT_BYTES_PER_PIXEL = 6

/** A grid of tiles, all of which one core decodes; the first is open. */
interface TiledPlanes {
  data: readonly Coded[]
  first: Tile
}

/** An image in tiles of which only the means of boxes are held. */
export interface BoxedTiles {
  grid: Grid
  colour: TiledPlanes
  alpha: TiledPlanes | undefined
  /** The side of a box, in pixels: at least 2. */
  box: number
}

/**
 * Returns how an image in tiles is decoded one after the other, as means. Undefined where tiles of alpha are others, a row of
 * tiles can be held, or nearly all pixels are needed. Throws ImageRefusal.
 */
export function boxedTiles(
  core: Core,
  { colour, alpha }: AvifObus,
  narrowing: Narrowing,
  first: Tile,
  alphaFirst?: Tile,
): BoxedTiles | undefined {
  const { grid } = colour
  if (!grid || grid.columns === 1 || (alpha && !(alphaFirst && isAlike(alpha, grid, first, alphaFirst))))
    return undefined
  const box = boxFor(core, grid, narrowing, first, alphaFirst)
  if (box === 1) return undefined
  requireFit(grid, first)
  return {
    grid,
    box,
    colour: { data: colour.data, first },
    alpha: alpha && alphaFirst && { data: alpha.data, first: alphaFirst },
  }
}

function isAlike({ grid }: Tiles, { columns, rows, width, height }: Grid, first: Tile, alphaFirst: Tile): boolean {
  const isSameGrid = grid?.columns === columns && grid.rows === rows && grid.width === width && grid.height === height
  return isSameGrid && alphaFirst.width === first.width && alphaFirst.height === first.height
}

/**
 * The smallest power of two that divides the sides of tiles and leaves a row of tiles that fits into memory; 1 for the rows as they
 * are. It is never so large that pixels are missing which sizes are made of.
 */
function boxFor(core: Core, grid: Grid, narrowing: Narrowing, tile: Tile, alphaTile?: Tile): number {
  const wanted = { width: core.targetColumns(0), height: core.targetRows(0) }
  const scale = Math.min(grid.width / wanted.width, grid.height / wanted.height) / oversamplingFor(wanted)
  const heldMaxBytes = HELD_TILES_MAX_BYTES - OUTPUT_BYTES_PER_PIXEL * wanted.width * wanted.height
  const rowsBytes =
    rowBytes(tile, grid.columns, narrowing) + (alphaTile ? rowBytes(alphaTile, grid.columns, undefined) : 0)
  if (rowsBytes <= heldMaxBytes) return 1
  const planes = (tile.sampling === ChromaSampling.Monochrome ? 1 : 3) * sampleBytes(narrowing) + (alphaTile ? 1 : 0)
  const pixels = grid.columns * tile.width * tile.height * planes
  let box = 1
  while (
    2 * box <= scale &&
    tile.width % (2 * box) === 0 &&
    tile.height % (2 * box) === 0 &&
    (box === 1 || pixels / box ** 2 > heldMaxBytes)
  )
    box *= 2
  return box
}

/**
 * Decodes tile after tile, and passes the rows of means to the core after each row of tiles. `feed` takes rows of a tile, and of its
 * alpha.
 */
export function* giveTiles(
  decoders: Decoders,
  { grid, colour, alpha, box }: BoxedTiles,
  narrowing: Narrowing,
  feed: (colour: PlaneRows, alpha: PlaneRows | undefined, rows: number) => void,
): Generator<void> {
  const { core } = decoders
  const { width, height } = colour.first
  core.openTiles(width, height)
  const room = roomFor(core, colour.first, 1, YUV_ROWS_AT_ONCE, narrowing)
  const alphaRoom = alpha && roomFor(core, alpha.first, 1, YUV_ROWS_AT_ONCE)
  for (let top = 0, i = 0; top < grid.height; top += height) {
    const rows = Math.min(height, grid.height - top)
    for (let left = 0; left < width * grid.columns; left += width, i++) {
      const tile = tileAt(decoders, colour, i)
      narrow(tile.core, narrowing)
      const alphaTile = alpha && tileAt(decoders, alpha, i)
      if (left >= grid.width) continue
      core.openTile(left, Math.min(width, grid.width - left), rows)
      for (let y = 0; y < rows; y += YUV_ROWS_AT_ONCE) {
        const count = Math.min(YUV_ROWS_AT_ONCE, rows - y)
        yield* copyRows(tile, core, room, 0, count, narrowing)
        if (alphaTile && alphaRoom) yield* copyRows(alphaTile, core, alphaRoom, 0, count, undefined)
        feed(room, alphaRoom, count)
      }
    }
    const means = Math.ceil(rows / box)
    for (let y = 0; y < means; y += YUV_ROWS_AT_ONCE) {
      core.handOnTiles(y, Math.min(YUV_ROWS_AT_ONCE, means - y))
      yield
    }
  }
}

function tileAt(decoders: Decoders, { data, first }: TiledPlanes, i: number): Tile {
  return i === 0 ? first : openNext(decoders, first.core, data[i], first)
}
