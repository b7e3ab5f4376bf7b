// Groups the tiles that share prefix codes (6.2.2): clusters of similar symbols, as many as save more than their codes take.
import { allocate, checkpoint, release } from '../../../arena/memory'
import { sumOfLanes32 } from '../../../arena/simd'
import { prefixSymbol } from './distance-codes'
import { addCounts, increment } from './histogram'
import { codeOf, lengthOf } from './optimal-parse'
import { COPY, codeBits, codedBits } from './pixel-histogram'
import {
  ALPHA,
  BLUE,
  CACHE_FROM,
  cacheKey,
  DISTANCE_SYMBOLS,
  greenSymbols,
  LENGTHS_FROM,
  RED,
  SYMBOLS,
} from './symbols'

/** The most clusters of a band. */
const MAX_CLUSTERS: i32 = 48
/** The search ends after this many tiles around which no cluster pays. */
const MAX_FAILURES: i32 = 6
const ROUNDS: i32 = 4
/** The first clusters: their greatest number, their least mean size in tiles, and the rounds that refine them. */
const START: i32 = 16
const TILES_OF_START: i32 = 4
const START_ROUNDS: i32 = 3
/** Costs are in 16ths of a bit. */
const BIT: f32 = 16
const UNSEEN_BITS: f32 = 5
const MAX_COST: i32 = 24 * 16
/** The weight of a tile's own symbols against those of all, for the cluster that begins with it. */
const OWN_WEIGHT: u32 = 8

/** Symbols whose counts are added and multiplied at once; a tile has a bit for each such chunk that is not all zeros. */
const CHUNK: i32 = 8
const MASKS: usize = 5

/** u32[]: counts of several tiles. */
let counts: usize = 0
/** Room for the costs and counts below; when the clusters are made it is free, for 4 * SYMBOLS bytes of each. */
export let tilesRoom: usize = 0
let tilesEnd: usize = 0
/** u8[]: each tile's cluster. */
export let clusterOf: usize = 0
export let clusters: i32 = 0

/** Where counts and costs lie, and what is known of each tile. */
@unmanaged
class Tiles {
  /** The most tiles and clusters. */
  most: i32
  mostClusters: i32
  cacheBits: i32
  /**
   * Symbols as they are counted here: green, a multiple of 8 of them; distances; then those of red, blue and alpha that have more than
   * one symbol. Where each begins, or -1; and their number.
   */
  distance: i32
  red: i32
  blue: i32
  alpha: i32
  symbols: i32
  /** i16[][symbols] of the clusters, and one more; u32[][symbols] of the clusters; u16[][symbols] of the tiles. */
  costs: usize
  sums: usize
  counts: usize
  /** For each tile u64[5]; i32: what it costs now, and what it would cost; u8: whether it was tried. */
  masks: usize
  present: usize
  other: usize
  tried: usize
}

const own = changetype<Tiles>(memory.data(offsetof<Tiles>(), 8))

/** Prepares for at most `most` tiles a band, with `bytes` for their counts: at `room`, or allocated if that is 0. */
export function startTiles(most: i32, bytes: usize, room: usize): void {
  own.most = most
  own.mostClusters = min(MAX_CLUSTERS, most)
  counts = allocate(4 * SYMBOLS)
  tilesRoom = room == 0 ? allocate(bytes) : room
  tilesEnd = tilesRoom + bytes
  clusterOf = allocate(most)
  own.masks = allocate(<usize>most * (8 * MASKS))
  own.present = allocate((<usize>most) << 2)
  own.other = allocate((<usize>most) << 2)
  own.tried = allocate(most)
}

/** Returns the bytes that so many tiles may take. */
export function roomOfTiles(tiles: i32): usize {
  return <usize>(min(MAX_CLUSTERS, tiles) + 1) * (6 * SYMBOLS) + <usize>tiles * (2 * SYMBOLS)
}

/**
 * Lays out the counts of each tile for a cache of 2^`bits` colours. Channels with one value in `histogram`, the counts of all tiles, have
 * none. Returns the number of tiles that there is room for.
 */
export function layTiles(bits: i32, histogram: usize): i32 {
  own.cacheBits = bits
  own.distance = (greenSymbols(bits) + CHUNK - 1) & ~(CHUNK - 1)
  let end = own.distance + DISTANCE_SYMBOLS
  own.red = hasSeveral(histogram, RED) ? end : -1
  if (own.red >= 0) end += 256
  own.blue = hasSeveral(histogram, BLUE) ? end : -1
  if (own.blue >= 0) end += 256
  own.alpha = hasSeveral(histogram, ALPHA) ? end : -1
  if (own.alpha >= 0) end += 256
  own.symbols = end
  own.costs = tilesRoom
  own.sums = own.costs + <usize>((own.mostClusters + 1) * end) * 2
  own.counts = own.sums + <usize>(own.mostClusters * end) * 4
  return min(own.most, <i32>((tilesEnd - own.counts) / ((<usize>end) << 1)))
}

/** Forgets all counts. */
export function clearTiles(tiles: i32): void {
  memory.fill(own.counts, 0, (<usize>(tiles * own.symbols)) << 1)
}

/** Whether more than one symbol of a channel occurs. */
function hasSeveral(histogram: usize, from: i32): bool {
  let used = 0
  for (let symbol = from; symbol < from + 256; symbol++) {
    if (load<u32>(histogram + ((<usize>symbol) << 2)) > 0) used++
  }
  return used > 1
}

// @ts-ignore: decorator
@inline
function countsOf(tile: i32): usize {
  return own.counts + ((<usize>(tile * own.symbols)) << 1)
}

/** Counts a token in a tile. */
// @ts-ignore: decorator
@inline
export function countInTile(tile: i32, value: u32, kind: i32): void {
  const at = countsOf(tile)
  if (kind == COPY) {
    increment<u16>(at, LENGTHS_FROM + prefixSymbol(lengthOf(value)))
    increment<u16>(at, own.distance + prefixSymbol(codeOf(value)))
  } else if (kind <= own.cacheBits) {
    increment<u16>(at, CACHE_FROM + cacheKey(value, own.cacheBits))
  } else {
    increment<u16>(at, <i32>((value >> 8) & 255))
    if (own.red >= 0) increment<u16>(at, own.red + <i32>((value >> 16) & 255))
    if (own.blue >= 0) increment<u16>(at, own.blue + <i32>(value & 255))
    if (own.alpha >= 0) increment<u16>(at, own.alpha + <i32>(value >> 24))
  }
}

/** Fills the masks of a tile. */
function findChunks(tile: i32): void {
  const at = countsOf(tile)
  const masks = own.masks + <usize>tile * (8 * MASKS)
  memory.fill(masks, 0, 8 * MASKS)
  const chunks = own.symbols / CHUNK
  for (let chunk = 0; chunk < chunks; chunk++) {
    if (!v128.any_true(v128.load(at + ((<usize>chunk) << 4)))) continue
    const mask = masks + ((<usize>(chunk >> 6)) << 3)
    store<u64>(mask, load<u64>(mask) | ((<u64>1) << (<u64>chunk & 63)))
  }
}

/** Makes clusters of the first `tiles`, `most` at most. */
export function clusterTiles(tiles: i32, most: i32): void {
  memory.fill(clusterOf, 0, tiles)
  clusters = 1
  for (let tile = 0; tile < tiles; tile++) findChunks(tile)
  setClusterCosts(0, tiles)
  for (let tile = 0; tile < tiles; tile++) store<i32>(own.present + ((<usize>tile) << 2), costIn(tile, 0))
  const room = min(most, own.mostClusters)
  beginClusters(tiles, min(room, min(START, tiles / TILES_OF_START)))
  splitClusters(tiles, room)
  if (clusters > 1) for (let round = 0; round < ROUNDS; round++) refine(tiles)
  dropUnused(tiles)
  mergeClusters(tiles)
}

/** Makes one cluster of all tiles. */
export function joinTiles(tiles: i32): void {
  memory.fill(clusterOf, 0, tiles)
  clusters = 1
}

/** Makes `most` clusters of tiles whose tokens cost about the same, and joins those that are better together. */
function beginClusters(tiles: i32, most: i32): void {
  if (most < 2) return
  // Tiles in order of what their tokens cost.
  const end = checkpoint()
  const order = allocate((<usize>tiles) << 3)
  let used = 0
  for (let tile = 0; tile < tiles; tile++) {
    if (isEmpty(tile)) continue
    const cost = <u32>load<i32>(own.present + ((<usize>tile) << 2)) / tokensOf(tile)
    const key = ((<u64>cost) << 32) | <u64>tile
    let at = order + ((<usize>used) << 3)
    used++
    for (; at > order && load<u64>(at - 8) > key; at -= 8) store<u64>(at, load<u64>(at - 8))
    store<u64>(at, key)
  }
  clusters = min(most, used)
  for (let i = 0; i < used; i++) {
    store<u8>(clusterOf + <usize>load<u32>(order + ((<usize>i) << 3)), <u8>((i * clusters) / used))
  }
  release(end)
  for (let round = 0; round < START_ROUNDS; round++) refine(tiles)
  dropUnused(tiles)
  mergeClusters(tiles)
  for (let cluster = 0; cluster < clusters; cluster++) setClusterCosts(cluster, tiles)
  for (let tile = 0; tile < tiles; tile++)
    store<i32>(own.present + ((<usize>tile) << 2), costIn(tile, load<u8>(clusterOf + tile)))
}

/** Returns the number of a tile's tokens, at least 1. */
function tokensOf(tile: i32): u32 {
  const from = countsOf(tile)
  let tokens: u32 = 0
  for (let i: usize = 0; i < <usize>own.distance; i++) tokens += load<u16>(from + (i << 1))
  return max(1, tokens)
}

/** Joins pairs of clusters as long as that saves bits, those first that save most. */
function mergeClusters(tiles: i32): void {
  if (clusters < 2) return
  const end = checkpoint()
  const size = (<usize>own.symbols) << 2
  const all = own.sums
  memory.fill(all, 0, <usize>clusters * size)
  const bits = allocate((<usize>clusters) << 2)
  const gains = allocate((<usize>(clusters * clusters)) << 2)
  // The bits of each cluster, -1 of one that is no more; what each pair saves.
  for (let tile = 0; tile < tiles; tile++) addTileTo(all + <usize>load<u8>(clusterOf + tile) * size, tile, 1)
  for (let i = 0; i < clusters; i++) {
    store<f32>(bits + ((<usize>i) << 2), bitsAlone(all + <usize>i * size))
    for (let j = 0; j < i; j++) setGain(gains, bits, i, j)
  }
  for (;;) {
    let best: f32 = 0
    let from = 0
    let to = 0
    for (let i = 1; i < clusters; i++) {
      for (let j = 0; j < i; j++) {
        const gain = load<f32>(gains + ((<usize>(i * clusters + j)) << 2))
        if (gain <= best) continue
        best = gain
        from = i
        to = j
      }
    }
    if (from == 0) break
    addCounts(all + <usize>to * size, all + <usize>from * size, own.symbols)
    store<f32>(bits + ((<usize>to) << 2), bitsAlone(all + <usize>to * size))
    store<f32>(bits + ((<usize>from) << 2), -1)
    for (let tile = 0; tile < tiles; tile++) if (load<u8>(clusterOf + tile) == from) store<u8>(clusterOf + tile, <u8>to)
    for (let i = 0; i < clusters; i++) {
      if (i != from) setGain(gains, bits, max(i, from), min(i, from))
      if (i != to && load<f32>(bits + ((<usize>i) << 2)) >= 0) setGain(gains, bits, max(i, to), min(i, to))
    }
  }
  release(end)
  dropUnused(tiles)
}

/** Sets what two clusters, `j` before `i`, save together; -1 if one of them is no more. */
function setGain(gains: usize, bits: usize, i: i32, j: i32): void {
  const size = (<usize>own.symbols) << 2
  const a = load<f32>(bits + ((<usize>i) << 2))
  const b = load<f32>(bits + ((<usize>j) << 2))
  let gain: f32 = -1
  if (a >= 0 && b >= 0) {
    memory.copy(counts, own.sums + <usize>i * size, size)
    addCounts(counts, own.sums + <usize>j * size, own.symbols)
    gain = a + b - bitsAlone(counts)
  }
  store<f32>(gains + ((<usize>(i * clusters + j)) << 2), gain)
}

/** Begins clusters around the tiles that cost most. */
function splitClusters(tiles: i32, most: i32): void {
  memory.fill(own.tried, 0, tiles)
  for (let failures = 0; failures < MAX_FAILURES && clusters < most; ) {
    let seed = -1
    let largest = 0
    for (let tile = 0; tile < tiles; tile++) {
      const cost = load<i32>(own.present + ((<usize>tile) << 2))
      if (load<u8>(own.tried + tile) != 0 || cost <= largest) continue
      largest = cost
      seed = tile
    }
    if (seed < 0) return
    store<u8>(own.tried + seed, 1)
    if (!split(tiles, seed)) failures++
  }
}

/** Makes a cluster around a tile. Returns whether it pays; else there is none. */
function split(tiles: i32, seed: i32): bool {
  // The tile's own counts, and a little of the cluster that it is in.
  memory.fill(counts, 0, (<usize>own.symbols) << 2)
  addTile(seed, OWN_WEIGHT)
  const from = load<u8>(clusterOf + seed)
  for (let tile = 0; tile < tiles; tile++) if (load<u8>(clusterOf + tile) == from) addTile(tile, 1)
  setCosts(clusters)
  for (let round = 0; round < 3; round++) {
    memory.fill(counts, 0, (<usize>own.symbols) << 2)
    let members = 0
    for (let tile = 0; tile < tiles; tile++) {
      if (costIn(tile, clusters) >= load<i32>(own.present + ((<usize>tile) << 2))) continue
      addTile(tile, 1)
      members++
    }
    if (members == 0) return false
    setCosts(clusters)
  }
  const head = usedBits()
  let gain = 0
  for (let tile = 0; tile < tiles; tile++) {
    const cost = costIn(tile, clusters)
    store<i32>(own.other + ((<usize>tile) << 2), cost)
    gain += max(0, load<i32>(own.present + ((<usize>tile) << 2)) - cost)
  }
  if (<f32>gain < head * BIT) return false
  for (let tile = 0; tile < tiles; tile++) {
    const cost = load<i32>(own.other + ((<usize>tile) << 2))
    if (cost >= load<i32>(own.present + ((<usize>tile) << 2))) continue
    store<i32>(own.present + ((<usize>tile) << 2), cost)
    store<u8>(clusterOf + tile, <u8>clusters)
  }
  clusters++
  return true
}

/** Moves each tile to the cluster whose codes cost it least. */
function refine(tiles: i32): void {
  for (let cluster = 0; cluster < clusters; cluster++) setClusterCosts(cluster, tiles)
  for (let tile = 0; tile < tiles; tile++) {
    let least = i32.MAX_VALUE
    for (let cluster = 0; cluster < clusters; cluster++) {
      const cost = costIn(tile, cluster)
      if (cost >= least) continue
      least = cost
      store<u8>(clusterOf + tile, <u8>cluster)
    }
    store<i32>(own.present + ((<usize>tile) << 2), least)
  }
}

/** Renumbers the clusters that have tiles. Tiles without symbols belong to the preceding cluster. */
function dropUnused(tiles: i32): void {
  let before: u8 = 0
  for (let tile = 0; tile < tiles; tile++) {
    if (isEmpty(tile)) store<u8>(clusterOf + tile, before)
    before = load<u8>(clusterOf + tile)
  }
  let left = 0
  for (let cluster = 0; cluster < clusters; cluster++) {
    let members = 0
    for (let tile = 0; tile < tiles; tile++) {
      if (load<u8>(clusterOf + tile) != cluster) continue
      store<u8>(clusterOf + tile, <u8>left)
      members++
    }
    if (members > 0) left++
  }
  clusters = left
}

/** Whether a tile has no symbols. */
function isEmpty(tile: i32): bool {
  const masks = own.masks + <usize>tile * (8 * MASKS)
  for (let i: usize = 0; i < MASKS; i++) if (load<u64>(masks + (i << 3)) != 0) return false
  return true
}

function setClusterCosts(cluster: i32, tiles: i32): void {
  memory.fill(counts, 0, (<usize>own.symbols) << 2)
  for (let tile = 0; tile < tiles; tile++) if (load<u8>(clusterOf + tile) == cluster) addTile(tile, 1)
  setCosts(cluster)
}

function addTile(tile: i32, weight: u32): void {
  addTileTo(counts, tile, weight)
}

/** Adds the counts of a tile, times `weight`, to those at `to` (u32[]). */
function addTileTo(to: usize, tile: i32, weight: u32): void {
  const from = countsOf(tile)
  const masks = own.masks + <usize>tile * (8 * MASKS)
  const factor = i32x4.splat(weight)
  for (let i: usize = 0; i < MASKS; i++) {
    for (let mask = load<u64>(masks + (i << 3)); mask != 0; mask &= mask - 1) {
      const at = (i << 6) + <usize>ctz(mask)
      const sum = to + (at << 5)
      const more = v128.load(from + (at << 4))
      v128.store(sum, i32x4.add(v128.load(sum), i32x4.mul(i32x4.extend_low_i16x8_u(more), factor)))
      v128.store(sum, i32x4.add(v128.load(sum, 16), i32x4.mul(i32x4.extend_high_i16x8_u(more), factor)), 16)
    }
  }
}

/** Sets the costs of a cluster by `counts`. */
function setCosts(cluster: i32): void {
  const to = own.costs + ((<usize>(cluster * own.symbols)) << 1)
  setSymbolCosts(to, 0, own.distance)
  setSymbolCosts(to, own.distance, DISTANCE_SYMBOLS)
  for (let from = own.distance + DISTANCE_SYMBOLS; from < own.symbols; from += 256) setSymbolCosts(to, from, 256)
}

function setSymbolCosts(to: usize, from: i32, symbols: i32): void {
  let total: u32 = 0
  let used = 0
  for (let symbol = from; symbol < from + symbols; symbol++) {
    const count = load<u32>(counts + ((<usize>symbol) << 2))
    total += count
    if (count > 0) used++
  }
  const all = Mathf.log2(<f32>max(1, total))
  const unseen = <i16>min(MAX_COST, <i32>((all + UNSEEN_BITS) * BIT))
  for (let symbol = from; symbol < from + symbols; symbol++) {
    const count = load<u32>(counts + ((<usize>symbol) << 2))
    let cost = unseen
    if (count > 0) cost = used == 1 ? 0 : <i16>(max(1, all - Mathf.log2(<f32>count)) * BIT)
    store<i16>(to + ((<usize>symbol) << 1), cost)
  }
}

/** Returns the size of the prefix codes of `counts` in bits. */
function usedBits(): f32 {
  let bits = codeBits(counts, 0, greenSymbols(own.cacheBits)) + codeBits(counts, own.distance, DISTANCE_SYMBOLS)
  for (let from = own.distance + DISTANCE_SYMBOLS; from < own.symbols; from += 256) bits += codeBits(counts, from, 256)
  return bits
}

/** Returns about how many bits symbols take with prefix codes of their own, these included. */
function bitsAlone(sums: usize): f32 {
  let bits = codedBits(sums, 0, greenSymbols(own.cacheBits)) + codedBits(sums, own.distance, DISTANCE_SYMBOLS)
  for (let from = own.distance + DISTANCE_SYMBOLS; from < own.symbols; from += 256) bits += codedBits(sums, from, 256)
  return bits
}

/** Returns the cost of a tile with the codes of a cluster, without extra bits. */
function costIn(tile: i32, cluster: i32): i32 {
  const from = countsOf(tile)
  const weights = own.costs + ((<usize>(cluster * own.symbols)) << 1)
  const masks = own.masks + <usize>tile * (8 * MASKS)
  let sum = i32x4.splat(0)
  for (let i: usize = 0; i < MASKS; i++) {
    for (let mask = load<u64>(masks + (i << 3)); mask != 0; mask &= mask - 1) {
      const at = ((i << 6) + <usize>ctz(mask)) << 4
      sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(from + at), v128.load(weights + at)))
    }
  }
  return sumOfLanes32(sum)
}
