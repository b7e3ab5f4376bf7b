// An image's rows in bands, the bands in groups that share prefix codes: one after the other, a new group where that
// saves bits.
import { allocate } from '../../memory'
import { addCounts, COUNTS_BYTES, countCopy, countLiterals, estimatedBits } from './histogram'
import {
  breakRun,
  chooseLengths,
  codeRuns,
  endOfRuns,
  LENGTHS_BYTES,
  roomForRuns,
  startRuns,
  takeCopy,
  takeLiterals,
} from './prefix-group'
import { findPath, startPaths, stepCode, stepLength } from './optimal-parse'
import { guessPrices, setPrices } from './cost-model'

/** The most bands of an image, and the fewest pixels of a band that is not the whole image. */
const MOST_BANDS: i32 = 96
const LEAST_PIXELS: i32 = 8192
/** A band has 2^2 to 2^9 rows (6.2.2). */
const LEAST_BITS: i32 = 2
const MOST_BITS: i32 = 9
/** The most pixels that a path is looked for in, unless a row has more. */
const MOST_PATH: i32 = 1 << 15
/** Runs that a group may have from bands before the last. */
const MOST_RUNS: i32 = 1 << 16

const BAND_COUNTS: usize = memory.data(COUNTS_BYTES, 16)
const GROUP_COUNTS: usize = memory.data(COUNTS_BYTES, 16)
const BOTH_COUNTS: usize = memory.data(COUNTS_BYTES, 16)

let data: usize = 0
let width: i32 = 0
let height: i32 = 0
let bandBits: i32 = 0
let pathRows: i32 = 0
let isFirst = true
let groups: i32 = 0
/** u8[]: each band's group; and each group's code lengths. */
let groupOf: usize = 0
let lengths: usize = 0

/** Prepares for an image of the bytes at `image`, readable for 16 more. */
export function startBands(image: usize, columns: i32, rows: i32): void {
  data = image
  width = columns
  height = rows
  bandBits = LEAST_BITS
  while (bandBits < MOST_BITS && (columns << bandBits < LEAST_PIXELS || bandCount() > MOST_BANDS)) bandBits++
  pathRows = 1 << bandBits
  while (pathRows > 1 && pathRows * columns > MOST_PATH) pathRows >>= 1
  startPaths(image, columns, rows, pathRows * columns)
  startRuns(image, min(MOST_RUNS, columns * rows) + mostRunsOfBand())
  groupOf = allocate(bandCount())
  lengths = allocate(<usize>bandCount() * LENGTHS_BYTES)
  memory.fill(GROUP_COUNTS, 0, COUNTS_BYTES)
  groups = 0
  isFirst = true
}

/** Codes all bands' literals and copies. */
export function codeBands(): void {
  if (isFlat()) {
    // Its one symbol takes no bits.
    countLiterals(GROUP_COUNTS, data, 1)
    memory.fill(groupOf, 0, bandCount())
  } else {
    for (let band = 0; band < bandCount(); band++) takeBand(band)
  }
  closeGroup(endOfRuns())
}

/** How many bands, and which power of two of rows (and columns, for their tiles) they have. */
export function bandCount(): i32 {
  return (height + (1 << bandBits) - 1) >> bandBits
}

export function bandRowBits(): i32 {
  return bandBits
}

export function groupCount(): i32 {
  return groups
}

/** The group of a band. */
export function bandGroup(band: i32): i32 {
  return load<u8>(groupOf + band)
}

/** The code lengths of a group. */
export function groupLengths(group: i32): usize {
  return lengths + group * LENGTHS_BYTES
}

function isFlat(): bool {
  return memory.compare(data, data + 1, <usize>(width * height - 1)) == 0
}

function mostRunsOfBand(): i32 {
  return width << bandBits
}

function takeBand(band: i32): void {
  const before = endOfRuns()
  memory.fill(BAND_COUNTS, 0, COUNTS_BYTES)
  const end = min(height, (band + 1) << bandBits)
  for (let row = band << bandBits; row < end; row += pathRows) takeRows(row, min(end, row + pathRows))
  breakRun()
  if (band > 0 && (!joins() || roomForRuns() < mostRunsOfBand())) closeGroup(before)
  addCounts(GROUP_COUNTS, BAND_COUNTS)
  store<u8>(groupOf + band, <u8>groups)
}

/** Whether the band takes fewer bits with the group's codes than with codes of its own. */
function joins(): bool {
  memory.copy(BOTH_COUNTS, GROUP_COUNTS, COUNTS_BYTES)
  addCounts(BOTH_COUNTS, BAND_COUNTS)
  return estimatedBits(BOTH_COUNTS) <= estimatedBits(GROUP_COUNTS) + estimatedBits(BAND_COUNTS)
}

function closeGroup(end: usize): void {
  chooseLengths(GROUP_COUNTS, groupLengths(groups))
  codeRuns(groupLengths(groups), end)
  memory.fill(GROUP_COUNTS, 0, COUNTS_BYTES)
  groups++
}

/** Takes the cheapest path through the rows. */
function takeRows(from: i32, to: i32): void {
  const position = from * width
  const end = to * width
  if (isFirst) {
    learnPrices(position, end)
  } else {
    memory.copy(BOTH_COUNTS, GROUP_COUNTS, COUNTS_BYTES)
    addCounts(BOTH_COUNTS, BAND_COUNTS)
    setPrices(BOTH_COUNTS)
  }
  findPath(position, end, isFirst)
  isFirst = false
  countPath(BAND_COUNTS, position, end)
  for (let at = position; at < end; at += stepLength(at - position)) {
    const code = stepCode(at - position)
    if (code == 0) takeLiterals(1)
    else takeCopy(stepLength(at - position), code)
  }
}

/** Finds the first rows' path once with guessed prices, and prices from that. */
function learnPrices(position: i32, end: i32): void {
  memory.fill(BOTH_COUNTS, 0, COUNTS_BYTES)
  countLiterals(BOTH_COUNTS, data + position, end - position)
  guessPrices(BOTH_COUNTS)
  findPath(position, end, false)
  memory.fill(BOTH_COUNTS, 0, COUNTS_BYTES)
  countPath(BOTH_COUNTS, position, end)
  setPrices(BOTH_COUNTS)
}

function countPath(counts: usize, position: i32, end: i32): void {
  for (let at = position; at < end; at += stepLength(at - position)) {
    const code = stepCode(at - position)
    if (code == 0) countLiterals(counts, data + at, 1)
    else countCopy(counts, stepLength(at - position), code)
  }
}
