// Groups the tiles that share prefix codes (6.2.2): clusters of similar symbols, as many as save more than their codes take.
import { allocate } from '../../../arena/memory'
import { sumOfLanes32 } from '../../../arena/simd'
import { codeBits, countToken } from './pixel-histogram'
import { ALPHA, BLUE, DISTANCE, DISTANCE_SYMBOLS, greenSymbols, RED, SYMBOLS } from './symbols'

/** The most clusters of a band. */
const MAX_CLUSTERS: i32 = 64
/** So many tiles in a row that found no cluster end the search. */
const MAX_FAILURES: i32 = 12
const ROUNDS: i32 = 4
/** Costs are in 16ths of a bit. */
const BIT: f32 = 16
const UNSEEN_BITS: f32 = 5
const MAX_COST: i32 = 24 * 16
/** The weight of a tile's own symbols against those of all, for the cluster that begins with it. */
const OWN_WEIGHT: u32 = 8

/** u32[SYMBOLS]: counts of several tiles. */
let counts: usize = 0
/** Room for the costs and counts below; when the clusters are made it is free, for 4 * SYMBOLS bytes of each. */
export let tilesRoom: usize = 0
/** u16[][SYMBOLS]: the counts of each tile. */
let tileCounts: usize = 0
/** u8[]: each tile's cluster. */
export let clusterOf: usize = 0
export let clusters: i32 = 0

let maxTiles: i32 = 0
let cacheBits: i32 = 0
/** Symbols of green that there are with the cache, a multiple of 8. */
let greenEnd: i32 = 0
/**
 * i16[][SYMBOLS] of the clusters, and one more; and for each tile i32: what it costs now, what it would cost, whether it was
 * tried.
 */
let costs: usize = 0
let present: usize = 0
let other: usize = 0
let tried: usize = 0
/** u8[]: whether a tile has no symbols. */
let empty: usize = 0
/** Whether red, blue or alpha have more than one symbol, so that they count. */
let isRedUsed = false
let isBlueUsed = false
let isAlphaUsed = false

/** Prepares for at most `most` tiles a band. */
export function startTiles(most: i32): void {
  maxTiles = most
  counts = allocate(4 * SYMBOLS)
  // There are as many tiles as clusters at least, so that both together have the room for the clusters.
  tilesRoom = allocate(<usize>(clusterRoom() + 1 + most) * 2 * SYMBOLS)
  costs = tilesRoom
  tileCounts = costs + <usize>(clusterRoom() + 1) * 2 * SYMBOLS
  clusterOf = allocate(most)
  present = allocate((<usize>most) << 2)
  other = allocate((<usize>most) << 2)
  tried = allocate(most)
  empty = allocate(most)
}

/** Returns the maximum number of clusters. */
function clusterRoom(): i32 {
  return min(MAX_CLUSTERS, maxTiles)
}

/** Forgets all counts; those to come are with a cache of 2^bits colours. `histogram`: those of all, at least. */
export function clearTiles(tiles: i32, bits: i32, histogram: usize): void {
  cacheBits = bits
  greenEnd = (greenSymbols(bits) + 7) & ~7
  isRedUsed = hasSeveral(histogram, RED)
  isBlueUsed = hasSeveral(histogram, BLUE)
  isAlphaUsed = hasSeveral(histogram, ALPHA)
  memory.fill(tileCounts, 0, <usize>tiles * 2 * SYMBOLS)
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
  return tileCounts + <usize>tile * (2 * SYMBOLS)
}

/** Counts a token in a tile. */
// @ts-ignore: decorator
@inline
export function countInTile(tile: i32, value: u32, kind: i32): void {
  countToken<u16>(countsOf(tile), value, kind, cacheBits)
}

/** Makes clusters of the first `tiles`, `most` at most. */
export function clusterTiles(tiles: i32, most: i32): void {
  memory.fill(clusterOf, 0, tiles)
  clusters = 1
  for (let tile = 0; tile < tiles; tile++) store<u8>(empty + tile, isEmpty(tile) ? 1 : 0)
  setClusterCosts(0, tiles)
  for (let tile = 0; tile < tiles; tile++) store<i32>(present + ((<usize>tile) << 2), costIn(tile, 0))
  splitClusters(tiles, min(most, clusterRoom()))
  if (clusters > 1) for (let round = 0; round < ROUNDS; round++) refine(tiles)
  dropUnused(tiles)
}

/** Makes one cluster of all. */
export function joinTiles(tiles: i32): void {
  memory.fill(clusterOf, 0, tiles)
  clusters = 1
}

/** Begins clusters with those tiles that cost most beyond what they would alone. */
function splitClusters(tiles: i32, most: i32): void {
  memory.fill(tried, 0, tiles)
  for (let failures = 0; failures < MAX_FAILURES && clusters < most; ) {
    let seed = -1
    let largest = 0
    for (let tile = 0; tile < tiles; tile++) {
      const cost = load<i32>(present + ((<usize>tile) << 2))
      if (load<u8>(tried + tile) != 0 || cost <= largest) continue
      largest = cost
      seed = tile
    }
    if (seed < 0) return
    store<u8>(tried + seed, 1)
    if (!split(tiles, seed)) failures++
  }
}

/** Whether a cluster around the tile pays; then it is there. */
function split(tiles: i32, seed: i32): bool {
  // The tile's own counts, and a little of the cluster that it is in.
  memory.fill(counts, 0, 4 * SYMBOLS)
  addTile(seed, OWN_WEIGHT)
  const from = load<u8>(clusterOf + seed)
  for (let tile = 0; tile < tiles; tile++) if (load<u8>(clusterOf + tile) == from) addTile(tile, 1)
  setCosts(clusters)
  for (let round = 0; round < 3; round++) {
    memory.fill(counts, 0, 4 * SYMBOLS)
    let members = 0
    for (let tile = 0; tile < tiles; tile++) {
      if (costIn(tile, clusters) >= load<i32>(present + ((<usize>tile) << 2))) continue
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
    store<i32>(other + ((<usize>tile) << 2), cost)
    gain += max(0, load<i32>(present + ((<usize>tile) << 2)) - cost)
  }
  if (<f32>gain < head * BIT) return false
  for (let tile = 0; tile < tiles; tile++) {
    const cost = load<i32>(other + ((<usize>tile) << 2))
    if (cost >= load<i32>(present + ((<usize>tile) << 2))) continue
    store<i32>(present + ((<usize>tile) << 2), cost)
    store<u8>(clusterOf + tile, <u8>clusters)
  }
  clusters++
  return true
}

/** Returns each tile the cluster that is best by what is in it now. */
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
    store<i32>(present + ((<usize>tile) << 2), least)
  }
}

/** Renumbers the clusters that have tiles. Tiles without symbols belong to the preceding cluster. */
function dropUnused(tiles: i32): void {
  let before: u8 = 0
  for (let tile = 0; tile < tiles; tile++) {
    if (load<u8>(empty + tile) != 0) store<u8>(clusterOf + tile, before)
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

function isEmpty(tile: i32): bool {
  const own = countsOf(tile)
  let all = i32x4.splat(0)
  for (let i = 0; i < 2 * SYMBOLS; i += 16) all = v128.or(all, v128.load(own + i))
  return !v128.any_true(all)
}

function setClusterCosts(cluster: i32, tiles: i32): void {
  memory.fill(counts, 0, 4 * SYMBOLS)
  for (let tile = 0; tile < tiles; tile++) if (load<u8>(clusterOf + tile) == cluster) addTile(tile, 1)
  setCosts(cluster)
}

function addTile(tile: i32, weight: u32): void {
  if (load<u8>(empty + tile) != 0) return
  const own = countsOf(tile)
  addSymbols(own, weight, 0, greenEnd)
  addSymbols(own, weight, DISTANCE, SYMBOLS)
  if (isRedUsed) addSymbols(own, weight, RED, BLUE)
  if (isBlueUsed) addSymbols(own, weight, BLUE, ALPHA)
  if (isAlphaUsed) addSymbols(own, weight, ALPHA, DISTANCE)
}

function addSymbols(own: usize, weight: u32, from: i32, end: i32): void {
  const factor = i32x4.splat(weight)
  for (let i = <usize>from; i < <usize>end; i += 4) {
    const sum = counts + (i << 2)
    const more = i32x4.mul(v128.load16x4_u(own + (i << 1)), factor)
    v128.store(sum, i32x4.add(v128.load(sum), more))
  }
}

/** The costs of a cluster by `counts`. */
function setCosts(cluster: i32): void {
  const to = costs + <usize>cluster * (2 * SYMBOLS)
  setSymbolCosts(to, 0, greenEnd)
  if (isRedUsed) setSymbolCosts(to, RED, 256)
  if (isBlueUsed) setSymbolCosts(to, BLUE, 256)
  if (isAlphaUsed) setSymbolCosts(to, ALPHA, 256)
  setSymbolCosts(to, DISTANCE, DISTANCE_SYMBOLS)
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
  return (
    codeBits(counts, 0, greenSymbols(cacheBits)) +
    (isRedUsed ? codeBits(counts, RED, 256) : 0) +
    (isBlueUsed ? codeBits(counts, BLUE, 256) : 0) +
    (isAlphaUsed ? codeBits(counts, ALPHA, 256) : 0) +
    codeBits(counts, DISTANCE, DISTANCE_SYMBOLS)
  )
}

/** Returns the cost of a tile with the codes of a cluster, without extra bits. */
function costIn(tile: i32, cluster: i32): i32 {
  if (load<u8>(empty + tile) != 0) return 0
  const own = countsOf(tile)
  const weights = costs + <usize>cluster * (2 * SYMBOLS)
  let cost = dot(own, weights, 0, greenEnd) + dot(own, weights, DISTANCE, SYMBOLS)
  if (isRedUsed) cost += dot(own, weights, RED, BLUE)
  if (isBlueUsed) cost += dot(own, weights, BLUE, ALPHA)
  if (isAlphaUsed) cost += dot(own, weights, ALPHA, DISTANCE)
  return cost
}

// @ts-ignore: decorator
@inline
function dot(own: usize, weights: usize, from: i32, to: i32): i32 {
  let sum = i32x4.splat(0)
  for (let i = (<usize>from) << 1; i < (<usize>to) << 1; i += 16) {
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load(own + i), v128.load(weights + i)))
  }
  return sumOfLanes32(sum)
}
