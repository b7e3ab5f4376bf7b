// The pixels of an image by bands: each is parsed as it comes, and when its tokens fill their room, it gets prefix codes for
// its tiles and becomes bits. So memory is bounded: by the room for tokens, the window for matches, and the bits.

import { allocate, allocateZeroed, bytesLeft } from '../../../arena/memory'
import { blocksOf } from '../blocks'
import { putBits } from './bit-writer'
import { clearCacheCounts, countHit, findHits, moveHits, startCaches } from './cache-hits'
import { setPixelCosts, startCosts } from './costs'
import { added, addPixels, addressOf, roomForPixels, sampleAt, startPixelMatches } from './matches'
import { codeOf, lengthOf, parse, parseRoom, parseRoomBytes, Search, startParse, stepAt, stepOf } from './optimal-parse'
import { COPY, countToken, estimatedBits, extraBitsOf, uncountCopy } from './pixel-histogram'
import { chooseLengths, groupBits, makeCodes, putBlockImage, putCodes, putToken, startImages } from './pixel-image'
import { MAX_COPIED, SYMBOLS } from './symbols'
import {
  clearTiles,
  clusterOf,
  clusters,
  clusterTiles,
  countInTile,
  joinTiles,
  layTiles,
  roomOfTiles,
  startTiles,
  tilesRoom,
} from './tile-groups'

const enum Walk {
  CountByTile,
  CountByCluster,
  Send,
}

/** The pixels that are parsed at once, unless a row has more. */
const PARSED: i32 = 1 << 15
/** An image of so few pixels is parsed as a whole; where there is less memory, of half as many. */
const WHOLE: i32 = 1 << 18
const MEMORY_OF_WHOLE: usize = 20_000_000
/**
 * The first pixels are parsed so often, each time with the costs that the time before let expect. One round begins again with
 * copies from nearby alone. Symbols cost less the more they are used, so either beginning may lead to the better path.
 */
const ROUNDS: i32 = 5
const NEARBY_ROUND: i32 = 3
/** No more rounds before that where the last took more than this share of the bits before. */
const SETTLED: f32 = 0.997
/** A band has so many tokens at most, 5 bytes each, and units, 4 kB each. */
const MAX_TOKENS: i32 = 1 << 18
const MAX_UNITS: i32 = 2048
/** Their counts take so many bytes at most; where there is less memory, so many. */
const UNITS_ROOM: usize = 2_200_000
const SMALL_UNITS_ROOM: usize = 1_400_000
const MEMORY_OF_UNITS: usize = 44_000_000
/** Groups of an image. */
const MAX_GROUPS: i32 = 256
/** Tiles have 2^3 to 2^7 pixels a side; as large as makes them so few. */
const MIN_TILE_BITS: i32 = 3
const MAX_TILE_BITS: i32 = 7
const FEW_TILES: i32 = 2048
/** The units that are clustered have so many tokens on average at least. */
const TOKENS_OF_UNIT: i32 = 16

/** u32[SYMBOLS]: how often the symbols of the band occur, or those of all before. */
let total: usize = 0

let width: i32 = 0
let height: i32 = 0
let tileBits: i32 = 0
let tilesAcross: i32 = 0
/** The pixels of a row of tiles. */
let rowPixels: i32 = 0
let parsedMost: i32 = 0
let cacheBits: i32 = 0
let isCacheChosen = false
let maxCacheBits: i32 = 0
/** Pixels that were parsed, and with which the band begins. */
let parsed: i32 = 0
let bandFrom: i32 = 0
/** The tokens of the band: u32 values and u8 kinds. */
let values: usize = 0
let kinds: usize = 0
let tokens: i32 = 0
/** Their estimated cost, in 64ths of a bit. */
let waitingCost: u64 = 0
let tokenRoom: i32 = 0
/** The most units of a band; and those of this one: squares of 2^unitBits tiles a side. */
let bandUnits: i32 = 0
let unitBits: i32 = 0
/** The kinds of the pixels that are parsed. */
let pixelKinds: usize = 0
/** u8[][SYMBOLS] the code lengths of all groups; u32[] the group << 8 of all tiles. */
let lengths: usize = 0
let groups: i32 = 0
let maxGroups: i32 = 0
let tileGroups: usize = 0

/**
 * Prepares for an image of `columns` x `rows` pixels. `window`: how far back matches are looked for; `hashed`: by how many pixels;
 * `compared`: how many places; `most`: of a cache 2^most colours at most. Without one, all pixels are literals.
 */
export function startPixels(columns: i32, rows: i32, window: i32, hashed: i32, compared: i32, most: i32): void {
  width = columns
  height = rows
  const count = columns * rows
  maxCacheBits = most
  cacheBits = most
  isCacheChosen = most == 0
  tileBits = MIN_TILE_BITS
  while (tileBits < MAX_TILE_BITS && tilesOf(columns) * tilesOf(rows) > FEW_TILES) tileBits++
  tilesAcross = tilesOf(columns)
  rowPixels = columns << tileBits
  const whole = bytesLeft() < MEMORY_OF_WHOLE ? WHOLE >> 1 : WHOLE
  parsedMost = min(count, count <= whole ? whole : PARSED)
  const next = max(rowPixels, parsedMost)
  bandUnits = min(tilesAcross * tilesOf(rows), MAX_UNITS)
  // Of the first pixels two paths are held.
  tokenRoom = max(min(count, max(MAX_TOKENS, next)), 2 * parsedMost)
  startPixelMatches(count, window, parsedMost + columns, hashed, compared)
  startParse(columns, parsedMost)
  startCaches()
  startCosts<u32>()
  startImages()
  const unitsRoom = min(roomOfTiles(bandUnits), bytesLeft() < MEMORY_OF_UNITS ? SMALL_UNITS_ROOM : UNITS_ROOM)
  // When a band ends nothing is being parsed.
  if (parseRoomBytes() < unitsRoom) startTiles(bandUnits, unitsRoom, 0)
  else startTiles(bandUnits, parseRoomBytes(), parseRoom())
  values = allocate((<usize>tokenRoom) << 2)
  kinds = allocate(tokenRoom)
  pixelKinds = allocate(parsedMost)
  tileGroups = allocate((<usize>(tilesAcross * tilesOf(rows))) << 2)
  maxGroups = min(MAX_GROUPS, tilesAcross * tilesOf(rows))
  lengths = allocate(<usize>maxGroups * SYMBOLS)
  total = allocateZeroed(4 * SYMBOLS)
  groups = 0
  parsed = 0
  bandFrom = 0
  tokens = 0
  waitingCost = 0
}

/** Where the next row is to be written, before `addRow`. */
export function rowOfPixels(): usize {
  return roomForPixels(width)
}

/** Takes the row, and parses what is there by now. */
export function addRow(): void {
  addPixels(width)
  for (let end = nextEnd(); end <= added && end > parsed; end = nextEnd()) takePixels(end)
}

/** The end of what is parsed next: as many whole rows of tiles as go at once, or a part of one. */
function nextEnd(): i32 {
  if (parsed == 0 && width * height <= parsedMost) return width * height
  const rowEnd = (parsed / rowPixels + max(1, parsedMost / rowPixels)) * rowPixels
  return min(width * height, min(rowEnd, parsed + parsedMost))
}

/** About how many bytes the tokens of the band will be, at the least: prefix codes by tiles save less than a quarter. */
export function waitingBytes(): usize {
  return <usize>((waitingCost >> 9) * 3) >> 2
}

/** Ends the last band. */
export function finishPixels(): void {
  if (tokens > 0) closeBand()
}

/** Sends what comes before the pixels: cache, entropy image, prefix codes (5.2.3, 6.2.2). */
export function putPixelsHead(): void {
  putBits(cacheBits > 0 ? 1 : 0, 1)
  if (cacheBits > 0) putBits(cacheBits, 4)
  putBits(groups > 1 ? 1 : 0, 1)
  if (groups > 1) {
    putBlockImage(tileGroups, tileBits, width, height)
  }
  for (let group = 0; group < groups; group++) putCodes(lengths + <usize>group * SYMBOLS, cacheBits)
}

function tilesOf(side: i32): i32 {
  return blocksOf(side, tileBits)
}

/** Parses the pixels up to `end`, and closes the band where there is no more room. */
function takePixels(end: i32): void {
  const from = parsed
  findHits(addressOf<u32>(from), end - from, pixelKinds)
  if (maxCacheBits == 0) {
    for (let at = from; at < end; at++) addToken(sampleAt<u32>(at), COPY - 1)
  } else if (from == 0) parseFirst(end)
  else {
    // The cache is guessed again after 1, 2, 4, 8 and so on of what goes at once.
    const times = from / parsedMost
    if (!isCacheChosen && (times & (times - 1)) == 0) {
      cacheBits = guessCache(0)
      countTokens(cacheBits, 0)
    }
    setPixelCosts(total, cacheBits, false)
    waitingCost += parse<u32>(from, end, pixelKinds, Search.New)
    takePath(from, end)
  }
  parsed = end
  if (end % rowPixels != 0) return
  const next = min(width * height - end, max(rowPixels, parsedMost))
  if (tokens + next > tokenRoom) closeBand()
}

/** Costs as if all pixels up to `end` were literals. */
function guessCosts(end: i32): void {
  memory.fill(total, 0, 4 * SYMBOLS)
  for (let at = 0; at < end; at++) countToken<u32>(total, sampleAt<u32>(at), load<u8>(pixelKinds + at), cacheBits)
  setPixelCosts(total, cacheBits, true)
}

/** Finds the path through the first pixels several times, each time by the costs of the one before. The best of them stays. */
function parseFirst(end: i32): void {
  guessCosts(end)
  let least = f32.MAX_VALUE
  let bestCache = cacheBits
  for (let round = 0; round < ROUNDS; round++) {
    if (round == NEARBY_ROUND) {
      cacheBits = maxCacheBits
      guessCosts(end)
    }
    const search = round == 0 ? Search.New : round == NEARBY_ROUND ? Search.Nearby : Search.Known
    const cost = parse<u32>(0, end, pixelKinds, search)
    // The tokens of this path lie behind those of the best.
    const from = tokens
    takePath(0, end)
    if (!isCacheChosen) cacheBits = guessCache(from)
    countTokens(cacheBits, from)
    setPixelCosts(total, cacheBits, false)
    const bits = estimatedBits(total, cacheBits) + extraBitsOf(total)
    const isSettled = bits > SETTLED * least && round < NEARBY_ROUND
    if (bits < least) {
      least = bits
      bestCache = cacheBits
      waitingCost = cost
      tokens -= from
      memory.copy(values, values + ((<usize>from) << 2), (<usize>tokens) << 2)
      memory.copy(kinds, kinds + from, tokens)
    } else tokens = from
    if (isSettled) round = NEARBY_ROUND - 1
  }
  cacheBits = bestCache
  countTokens(cacheBits, 0)
}

function takePath(from: i32, end: i32): void {
  for (let at = from == 0 ? 0 : from + continueCopy(stepAt(0)); at < end; ) {
    const step = stepAt(at - from)
    const isCopy = codeOf(step) != 0
    const value = isCopy ? step : sampleAt<u32>(at)
    const kind = isCopy ? COPY : <i32>load<u8>(pixelKinds + (at - from))
    addToken(value, kind)
    at += lengthOf(step)
  }
}

// @ts-ignore: decorator
@inline
function addToken(value: u32, kind: i32): void {
  countToken<u32>(total, value, kind, cacheBits)
  store<u32>(values + ((<usize>tokens) << 2), value)
  store<u8>(kinds + tokens, <u8>kind)
  tokens++
}

/** Lengthens the band's last token by `step`, if both are copies from the same distance. Returns by how many pixels. */
function continueCopy(step: u32): i32 {
  if (tokens == 0 || codeOf(step) == 0 || load<u8>(kinds + tokens - 1) != COPY) return 0
  const at = values + ((<usize>(tokens - 1)) << 2)
  const last = load<u32>(at)
  if (codeOf(last) != codeOf(step) || lengthOf(last) + lengthOf(step) > MAX_COPIED) return 0
  uncountCopy(total, last)
  store<u32>(at, stepOf(lengthOf(last) + lengthOf(step), codeOf(step)))
  countToken<u32>(total, load<u32>(at), COPY, cacheBits)
  return lengthOf(step)
}

/** The rows of tiles of a band that ends there. */
function tileRowsTo(end: i32): i32 {
  return (end - bandFrom + rowPixels - 1) / rowPixels
}

/** Codes the band's tokens. */
function closeBand(): void {
  if (!isCacheChosen) {
    cacheBits = guessCache(0)
    countTokens(cacheBits, 0)
  }
  const tiles = chooseUnits()
  const unitsAcross = blocksOf(tilesAcross, unitBits)
  if (!isCacheChosen) chooseCache(tiles)
  groupTokens(tiles)
  for (let cluster = 0; cluster < clusters; cluster++) {
    const own = codesOf(cluster)
    const group = lengths + <usize>(groups + cluster) * SYMBOLS
    chooseLengths(own, group, cacheBits)
    makeCodes(group, own)
  }
  walkTokens(Walk.Send)
  const rows = tileRowsTo(parsed)
  let to = tileGroups + ((<usize>((bandFrom / rowPixels) * tilesAcross)) << 2)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < tilesAcross; x++, to += 4) {
      const unit = (y >> unitBits) * unitsAcross + (x >> unitBits)
      store<u32>(to, (<u32>(groups + <i32>load<u8>(clusterOf + unit))) << 8)
    }
  }
  groups += clusters
  tokens = 0
  waitingCost = 0
  bandFrom = parsed
}

/**
 * Joins the band's tiles to units, squares of them, until they are few and have enough tokens to tell them apart. Returns their
 * number.
 */
function chooseUnits(): i32 {
  const rows = tileRowsTo(parsed)
  const most = layTiles(cacheBits, total)
  let units = tilesAcross * rows
  for (unitBits = 0; units > most || (units > 1 && tokens < units * TOKENS_OF_UNIT); ) {
    unitBits++
    units = blocksOf(tilesAcross, unitBits) * blocksOf(rows, unitBits)
  }
  return units
}

/** Makes the clusters of the band's tiles, and their histograms. Returns about how many bits they take. */
function groupTokens(tiles: i32): f32 {
  layTiles(cacheBits, total)
  clearTiles(tiles)
  walkTokens(Walk.CountByTile)
  // Each band leaves groups for those to come.
  const left = maxGroups - groups
  clusterTiles(tiles, parsed == width * height ? left : max(1, left >> 2))
  memory.fill(tilesRoom, 0, <usize>clusters * 4 * SYMBOLS)
  walkTokens(Walk.CountByCluster)
  let bits: f32 = 0
  for (let cluster = 0; cluster < clusters; cluster++) bits += groupBits(codesOf(cluster), cacheBits)
  if (clusters == 1) return bits
  bits += entropyImageBits(tiles)
  const together = groupBits(total, cacheBits)
  if (bandFrom > 0 || parsed < width * height || together > bits) return bits
  joinTiles(tiles)
  memory.copy(codesOf(0), total, 4 * SYMBOLS)
  return together
}

/** Returns about how many bits it takes to send which tiles have which cluster. */
function entropyImageBits(tiles: i32): f32 {
  let changes = 0
  for (let tile = 1; tile < tiles; tile++) {
    if (load<u8>(clusterOf + tile) != load<u8>(clusterOf + tile - 1)) changes++
  }
  return 70 + 5 * <f32>clusters + 3 * <f32>changes
}

/** Chooses the size of the cache by the first band. */
function chooseCache(tiles: i32): void {
  isCacheChosen = true
  const guessed = cacheBits
  let best = guessed
  let least = f32.MAX_VALUE
  for (let i = 0; i < (guessed == 0 ? 1 : 3); i++) {
    cacheBits = i == 0 ? guessed : i == 1 ? guessed >> 1 : 0
    countTokens(cacheBits, 0)
    const bits = groupTokens(tiles)
    if (bits >= least) continue
    least = bits
    best = cacheBits
  }
  cacheBits = best
  countTokens(best, 0)
}

/** Returns the size of the cache that is best by the tokens, with prefix codes for all. */
function guessCache(from: i32): i32 {
  clearCacheCounts()
  memory.fill(total, 0, 4 * SYMBOLS)
  for (let i = from; i < tokens; i++) {
    const kind = <i32>load<u8>(kinds + i)
    const value = load<u32>(values + ((<usize>i) << 2))
    countToken<u32>(total, value, kind, 0)
    if (kind <= maxCacheBits) countHit(value, kind)
  }
  let least = estimatedBits(total, 0)
  let best = 0
  for (let bits = 1; bits <= maxCacheBits; bits++) {
    moveHits(total, bits)
    const expected = estimatedBits(total, bits)
    if (expected >= least) continue
    least = expected
    best = bits
  }
  return best
}

function countTokens(bits: i32, from: i32): void {
  memory.fill(total, 0, 4 * SYMBOLS)
  for (let i = from; i < tokens; i++) {
    countToken<u32>(total, load<u32>(values + ((<usize>i) << 2)), load<u8>(kinds + i), bits)
  }
}

/** The counts, later the codes, of a cluster (u32[SYMBOLS]): where those of tiles were. */
// @ts-ignore: decorator
@inline
function codesOf(cluster: i32): usize {
  return tilesRoom + <usize>cluster * (4 * SYMBOLS)
}

/** Takes the band's tokens one by one, each with the tile in which it begins. */
function walkTokens(walk: Walk): void {
  let x = 0
  let y = 0
  const bits = tileBits + unitBits
  const unitsAcross = blocksOf(tilesAcross, unitBits)
  for (let i = 0; i < tokens; i++) {
    const value = load<u32>(values + ((<usize>i) << 2))
    const kind = <i32>load<u8>(kinds + i)
    const tile = (y >> bits) * unitsAcross + (x >> bits)
    if (walk == Walk.CountByTile) countInTile(tile, value, kind)
    else {
      const own = codesOf(load<u8>(clusterOf + tile))
      if (walk == Walk.Send) putToken(own, value, kind, cacheBits)
      else countToken<u32>(own, value, kind, cacheBits)
    }
    x += kind == COPY ? lengthOf(value) : 1
    while (x >= width) {
      x -= width
      y++
    }
  }
}
