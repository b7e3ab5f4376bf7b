// Rows of an image in tiles that are decoded one after the other. Of a row of tiles no pixels are held, but the means of
// boxes, since the sizes that are wanted need no more. A box lies in one tile.

import { allocate, checkpoint, releaseBetween } from '../arena/memory'
import { ROW_SLACK } from '../arena/row-slack'
import { addDeepRow, addRow, writeDeepMeans, writeMeans } from './resample'

/** Sums that are read and written beyond a row's. */
const SLACK: usize = 16

/** A plane of the row of tiles. */
@unmanaged
class TilePlane {
  /** 1 where two pixels share a sample. */
  halvedAcross: i32
  halvedDown: i32
  boxAcross: i32
  boxDown: i32
  /** Samples of a row of the present tile, and its rows that are to come. */
  samples: i32
  left: i32
  /** 1 where samples are u16, 64ths of a level, and sums u32. */
  deep: i32
  /** Bytes from a row of means to the next. */
  stride: usize
  /** The column sums (u16) of the `collected` rows of the present box. */
  sums: usize
  collected: i32
  /** Where the next means go. */
  to: usize
  /** The means of all tiles. */
  means: usize
}

/** Four of them. */
const PLANES: usize = memory.data(4 * 48, 4)

/** All planes, and the side of the boxes. */
@unmanaged
class TileRows {
  planes: i32
  box: i32
  /** The memory of all planes. */
  start: usize
  end: usize
}

const tileRows: TileRows = changetype<TileRows>(memory.data(offsetof<TileRows>(), 4))

/** Prepares rows of tiles of `width` x `height` pixels, of an image of `columns` pixels and `count` planes. */
export function startTileRows(count: i32, columns: i32, width: i32, height: i32, side: i32): void {
  tileRows.planes = count
  tileRows.box = side
  tileRows.start = checkpoint()
  for (let i = 0; i < tileRows.planes; i++) {
    const p = planeAt(i)
    p.boxAcross = max(1, tileRows.box >> p.halvedAcross)
    p.boxDown = max(1, tileRows.box >> p.halvedDown)
    p.stride = (<usize>((columns + tileRows.box - 1) / tileRows.box)) << p.deep
    p.sums = allocate((<usize>width + SLACK) << (1 + p.deep))
    p.means = allocate(p.stride * ((height + tileRows.box - 1) / tileRows.box) + ROW_SLACK)
  }
  tileRows.end = checkpoint()
}

/** Frees the rows after the last one, for the encoders. */
export function endTileRows(): void {
  releaseBetween(tileRows.start, tileRows.end)
}

/** Sets, before `startTileRows`, which samples of plane `i` two pixels share, and whether they are 64ths of a level. */
export function shapeTileRows(i: i32, across: bool, down: bool, deep: bool): void {
  planeAt(i).deep = i32(deep)
  planeAt(i).halvedAcross = i32(across)
  planeAt(i).halvedDown = i32(down)
}

/** Begins the tile whose means begin at column `left`; `width` x `height` of its pixels are in the image. */
export function startTile(left: i32, width: i32, height: i32): void {
  for (let i = 0; i < tileRows.planes; i++) {
    const p = planeAt(i)
    p.samples = (width + p.halvedAcross) >> p.halvedAcross
    p.left = (height + p.halvedDown) >> p.halvedDown
    p.to = p.means + ((<usize>left) << p.deep)
    startBox(p)
  }
}

/** Takes the next row of plane `i` of the present tile. */
export function takeTileRow(i: i32, row: usize): void {
  const p = planeAt(i)
  if (p.deep == 1) addDeepRow(p.sums, row, p.samples)
  else addRow(p.sums, row, p.samples)
  p.left--
  if (++p.collected < p.boxDown && p.left > 0) return
  if (p.deep == 1) writeDeepMeans(p.sums, p.samples, p.boxAcross, p.collected, p.to)
  else writeMeans(p.sums, p.samples, p.boxAcross, p.collected, p.to)
  p.to += p.stride
  startBox(p)
}

/** Row `y` of the means of plane `i`, once all tiles are there. */
export function tileRow(i: i32, y: i32): usize {
  return planeAt(i).means + <usize>y * planeAt(i).stride
}

function startBox(p: TilePlane): void {
  memory.fill(p.sums, 0, (<usize>p.samples + SLACK) << (1 + p.deep))
  p.collected = 0
}

function planeAt(i: i32): TilePlane {
  return changetype<TilePlane>(PLANES + <usize>i * offsetof<TilePlane>())
}
