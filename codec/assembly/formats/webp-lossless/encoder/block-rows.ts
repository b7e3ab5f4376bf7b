// An image's rows by blocks of the entropy image (6.2.2), the block rows in groups that share prefix codes: a new group
// where that saves bits.
import { allocate } from '../../../arena/memory'
import { setByteCosts, startCosts } from './costs'
import { addHistogram, countCopy, countLiterals, estimatedBits, HISTOGRAM_BYTES } from './histogram'
import { startByteMatches } from './matches'
import { codeOf, lengthOf, parse, Search, startParse, stepAt } from './optimal-parse'
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

/** The most block rows of an image, and the fewest pixels of one that is not the whole image. */
const MAX_BLOCK_ROWS: i32 = 96
const MIN_PIXELS: i32 = 8192
/** A block row has 2^2 to 2^9 rows (6.2.2). */
const MIN_BITS: i32 = 2
const MAX_BITS: i32 = 9
/** The most pixels that are parsed at once, unless a row has more. */
const MAX_PARSED: i32 = 1 << 15
/** Runs that a group may have from block rows before the last. */
const MAX_RUNS: i32 = 1 << 16

const ROW_HISTOGRAM: usize = memory.data(HISTOGRAM_BYTES, 16)
const GROUP_HISTOGRAM: usize = memory.data(HISTOGRAM_BYTES, 16)
const MERGED_HISTOGRAM: usize = memory.data(HISTOGRAM_BYTES, 16)

let data: usize = 0
let width: i32 = 0
let height: i32 = 0
let rowBits: i32 = 0
let parsedRows: i32 = 0
let isFirst = true
let groups: i32 = 0
/** u8[]: each block row's group; and each group's code lengths. */
let groupOf: usize = 0
let lengths: usize = 0

/** Prepares for an image of `bytes`, readable for 16 more. */
export function startBlockRows(bytes: usize, columns: i32, rows: i32): void {
  data = bytes
  width = columns
  height = rows
  rowBits = MIN_BITS
  while (rowBits < MAX_BITS && (columns << rowBits < MIN_PIXELS || blockRowCount() > MAX_BLOCK_ROWS)) rowBits++
  parsedRows = 1 << rowBits
  while (parsedRows > 1 && parsedRows * columns > MAX_PARSED) parsedRows >>= 1
  startByteMatches(bytes, columns * rows)
  startParse(columns, parsedRows * columns)
  startCosts<u8>()
  startRuns(bytes, min(MAX_RUNS, columns * rows) + maxRunsOfBlockRow())
  groupOf = allocate(blockRowCount())
  lengths = allocate(<usize>blockRowCount() * LENGTHS_BYTES)
  memory.fill(GROUP_HISTOGRAM, 0, HISTOGRAM_BYTES)
  groups = 0
  isFirst = true
}

/** Codes the literals and copies of all block rows. */
export function encodeBlockRows(): void {
  if (isFlat()) {
    // A code with one symbol takes no bits.
    countLiterals(GROUP_HISTOGRAM, data, 1)
    memory.fill(groupOf, 0, blockRowCount())
  } else {
    for (let blockRow = 0; blockRow < blockRowCount(); blockRow++) takeBlockRow(blockRow)
  }
  closeGroup(endOfRuns())
}

/** Returns the number of block rows of the image. */
export function blockRowCount(): i32 {
  return (height + (1 << rowBits) - 1) >> rowBits
}

/** Binary logarithm of the rows and columns of a block. */
export function blockBits(): i32 {
  return rowBits
}

/** Returns the number of prefix code groups. */
export function groupCount(): i32 {
  return groups
}

/** The group of a block row. */
export function groupOfBlockRow(blockRow: i32): i32 {
  return load<u8>(groupOf + blockRow)
}

/** The code lengths of a group. */
export function groupLengths(group: i32): usize {
  return lengths + group * LENGTHS_BYTES
}

function isFlat(): bool {
  return memory.compare(data, data + 1, <usize>(width * height - 1)) == 0
}

function maxRunsOfBlockRow(): i32 {
  return width << rowBits
}

function takeBlockRow(blockRow: i32): void {
  const before = endOfRuns()
  memory.fill(ROW_HISTOGRAM, 0, HISTOGRAM_BYTES)
  const end = min(height, (blockRow + 1) << rowBits)
  for (let row = blockRow << rowBits; row < end; row += parsedRows) takeRows(row, min(end, row + parsedRows))
  breakRun()
  if (blockRow > 0 && (!joins() || roomForRuns() < maxRunsOfBlockRow())) closeGroup(before)
  addHistogram(GROUP_HISTOGRAM, ROW_HISTOGRAM)
  store<u8>(groupOf + blockRow, <u8>groups)
}

/** Whether the block row takes fewer bits with the group's codes than with codes of its own. */
function joins(): bool {
  memory.copy(MERGED_HISTOGRAM, GROUP_HISTOGRAM, HISTOGRAM_BYTES)
  addHistogram(MERGED_HISTOGRAM, ROW_HISTOGRAM)
  return estimatedBits(MERGED_HISTOGRAM) <= estimatedBits(GROUP_HISTOGRAM) + estimatedBits(ROW_HISTOGRAM)
}

function closeGroup(end: usize): void {
  chooseLengths(GROUP_HISTOGRAM, groupLengths(groups))
  codeRuns(groupLengths(groups), end)
  memory.fill(GROUP_HISTOGRAM, 0, HISTOGRAM_BYTES)
  groups++
}

/** Takes the cheapest path through the rows. */
function takeRows(from: i32, to: i32): void {
  const position = from * width
  const end = to * width
  if (isFirst) {
    learnCosts(position, end)
  } else {
    memory.copy(MERGED_HISTOGRAM, GROUP_HISTOGRAM, HISTOGRAM_BYTES)
    addHistogram(MERGED_HISTOGRAM, ROW_HISTOGRAM)
    setByteCosts(MERGED_HISTOGRAM, false)
  }
  parse<u8>(position, end, 0, isFirst ? Search.Known : Search.New)
  isFirst = false
  countParse(ROW_HISTOGRAM, position, end)
  for (let at = position; at < end; ) {
    const step = stepAt(at - position)
    if (step == 0) takeLiterals(1)
    else takeCopy(lengthOf(step), codeOf(step))
    at += lengthOf(step)
  }
}

/** Finds the first rows' path once with guessed costs, and costs from that. */
function learnCosts(position: i32, end: i32): void {
  memory.fill(MERGED_HISTOGRAM, 0, HISTOGRAM_BYTES)
  countLiterals(MERGED_HISTOGRAM, data + position, end - position)
  setByteCosts(MERGED_HISTOGRAM, true)
  parse<u8>(position, end, 0, Search.New)
  memory.fill(MERGED_HISTOGRAM, 0, HISTOGRAM_BYTES)
  countParse(MERGED_HISTOGRAM, position, end)
  setByteCosts(MERGED_HISTOGRAM, false)
}

function countParse(histogram: usize, position: i32, end: i32): void {
  for (let at = position; at < end; ) {
    const step = stepAt(at - position)
    if (step == 0) countLiterals(histogram, data + at, 1)
    else countCopy(histogram, lengthOf(step), codeOf(step))
    at += lengthOf(step)
  }
}
