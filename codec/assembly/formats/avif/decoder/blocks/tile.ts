// The state of a tile column between superblock rows: AV1 specification, decode_tile( ) (5.11.2).
import { allocate } from '../../../../arena/memory'
import { frame } from '../frames/frame-header'
import { quantization } from '../frames/quantization-params'
import { initCdfs, initialCdfs } from './cdfs'
import { initSymbol, resumeSymbols, SymbolDecoder, suspendSymbols } from './symbol-decoder'

@unmanaged
export class Tile extends SymbolDecoder {
  miColStart: i32
  miColEnd: i32
  miRowStart: i32
  miRowEnd: i32
  /** The tile's CDFs. */
  cdfs: usize
  currentQIndex: i32
  /** ReadDeltas */
  readDeltas: bool
  deltaLf0: i32
  deltaLf1: i32
  deltaLf2: i32
  deltaLf3: i32
  /** RefLrWiener, i8[plane 3][pass 2][4], then RefSgrXqd, i8[plane 3][4]. */
  references: usize
}

/** The tile that is being decoded. */
export let tile: Tile = changetype<Tile>(0)

const REFERENCE_BYTES: usize = 3 * 2 * 4 + 3 * 4
const SGR_AT: usize = 3 * 2 * 4

/** Makes a tile column, with the memory that it keeps. */
export function newTile(): Tile {
  const made = changetype<Tile>(allocate(offsetof<Tile>()))
  made.cdfs = allocate(initialCdfs.bytes + 32)
  made.references = allocate(REFERENCE_BYTES)
  return made
}

/** Starts the tile whose data are `length` bytes at `from`. */
export function startTile(t: Tile, from: usize, length: usize): void {
  initSymbol(t, from, length)
  initCdfs(t.cdfs, quantization.baseQIdx)
  t.currentQIndex = quantization.baseQIdx
  t.readDeltas = false
  t.deltaLf0 = 0
  t.deltaLf1 = 0
  t.deltaLf2 = 0
  t.deltaLf3 = 0
  // Wiener_Taps_Mid and Sgrproj_Xqd_Mid.
  for (let i: usize = 0; i < 6; i++) store<u32>(t.references + (i << 2), 0x000ff903)
  for (let i: usize = 0; i < 3; i++) store<u32>(t.references + SGR_AT + (i << 2), 0x00001fe0)
}

/** Makes `t` the tile that is decoded. */
export function resumeTile(t: Tile): void {
  tile = t
  resumeSymbols(t, frame.disableCdfUpdate)
}

/** Suspends `t` until `resumeTile`. */
export function suspendTile(t: Tile): void {
  suspendSymbols(t)
}

/** RefLrWiener[ plane ][ pass ], i8[3]. */
export function wienerReference(plane: i32, pass: i32): usize {
  return tile.references + ((plane * 2 + pass) << 2)
}

/** RefSgrXqd[ plane ], i8[2]. */
export function sgrReference(plane: i32): usize {
  return tile.references + SGR_AT + (plane << 2)
}

/** DeltaLF[ i ] */
export function deltaLf(i: i32): i32 {
  return load<i32>(changetype<usize>(tile) + offsetof<Tile>('deltaLf0') + ((<usize>i) << 2))
}

/** Sets DeltaLF[ i ]. */
export function setDeltaLf(i: i32, value: i32): void {
  store<i32>(changetype<usize>(tile) + offsetof<Tile>('deltaLf0') + ((<usize>i) << 2), value)
}

/** is_inside( ) (5.11.51). */
export function isInside(row: i32, col: i32): bool {
  return col >= tile.miColStart && col < tile.miColEnd && row >= tile.miRowStart && row < tile.miRowEnd
}
