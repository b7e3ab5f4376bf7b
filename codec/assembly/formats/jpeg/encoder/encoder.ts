// Rows of RGBA to a baseline JPEG (T.81) in pieces: YCbCr 4:2:0, Huffman codes fitted to the image, or to as much of
// it as the buffer of tokens holds. For each row: written at `inputRow()`, `addJpegRow`, then `encodeJpegRows` as long as it
// fills the output; `finishJpegEncoder` likewise.

import { inputRow, nextInputRow, previousRow, startInputRows } from '../../../pipeline/input-rows'
import { startOutput } from '../../../pipeline/output'
import { Status } from '../../../status'
import { finishBits, startBits, writeTokens } from './bit-writer'
import { transform } from './fdct'
import { writeEnd, writeHeader } from './header'
import { makeCodes } from './huffman'
import { fillMcuRow, mcuRow, startMcuRow } from './mcu-row'
import { reciprocals, setQuality } from './quantizer'
import { countSymbols, isBufferFull, SYMBOLS, startTokens, storeBlock, TABLES } from './tokens'

/** Greatest width and height (B.2.2). */
const MAX_SIDE: i32 = 65535
const MCU: i32 = 16
const OUTPUT_BYTES: usize = 1 << 16
/** Tokens buffered at most: some 2 megapixels of a photograph. */
const TOKEN_BUFFER_BYTES: usize = 4 << 20
/** Bytes of tokens that a pixel may take: small images need a smaller buffer. */
const TOKEN_BYTES_PER_PIXEL: f64 = 6.5
const COUNTS: usize = memory.data(4 * 256 * 4, 4)

/** The image that is encoded. */
@unmanaged
class Encoder {
  width: i32
  height: i32
  mcus: i32
  /** Rows taken, of the image and of the present row of MCUs. */
  rows: i32
  filledRows: i32
  /** The next MCU of a full row of them. */
  mcu: i32
  areCodesMade: bool
  isEnded: bool
  /** The DC of the block before, of each component (F.1.1.5.1). */
  lumaDc: i32
  blueDc: i32
  redDc: i32
}

const encoder: Encoder = changetype<Encoder>(memory.data(offsetof<Encoder>(), 4))

/** Begins an image of 1 to 65535 pixels each way, otherwise `OverBudget`, at a quality of 1 to 100. */
export function startJpegEncoder(imageWidth: i32, imageHeight: i32, quality: i32): Status {
  if (imageWidth < 1 || imageWidth > MAX_SIDE || imageHeight < 1 || imageHeight > MAX_SIDE) {
    return Status.OverBudget
  }
  encoder.width = imageWidth
  encoder.height = imageHeight
  encoder.mcus = (encoder.width + MCU - 1) / MCU
  encoder.rows = encoder.filledRows = 0
  encoder.areCodesMade = encoder.isEnded = false
  encoder.lumaDc = encoder.blueDc = encoder.redDc = 0
  setQuality(quality)
  startInputRows(encoder.width)
  startMcuRow(encoder.mcus)
  const wanted = <f64>(encoder.mcus * MCU) * <f64>(encoder.height + MCU) * TOKEN_BYTES_PER_PIXEL
  startTokens(<usize>min<f64>(<f64>TOKEN_BUFFER_BYTES, wanted))
  startBits()
  startOutput(OUTPUT_BYTES)
  return Status.Ok
}

/** Takes the row at `inputRow()`; `encodeJpegRows` must follow. */
export function addJpegRow(): void {
  padRow(inputRow())
  addRow()
  encoder.rows++
  if (encoder.rows < encoder.height) return
  // The last row is repeated down to a whole MCU.
  while (encoder.filledRows < MCU) {
    memory.copy(inputRow(), previousRow(), (<usize>(encoder.mcus * MCU)) << 2)
    addRow()
  }
}

/** Codes what the rows taken allow; true if the output is full: it is to be taken, and this called again. */
export function encodeJpegRows(): bool {
  if (encoder.filledRows < MCU) return false
  for (; encoder.mcu < encoder.mcus; encoder.mcu++) {
    if (isBufferFull() && !flush(false)) return true
    storeMcu()
  }
  if (encoder.areCodesMade && !writeTokens()) return true
  encoder.filledRows = 0
  return false
}

/** After the last row: true if the output is full, as `encodeJpegRows`; false if all is in it. */
export function finishJpegEncoder(): bool {
  if (encoder.isEnded) return false
  if (!flush(true)) return true
  finishBits()
  writeEnd()
  encoder.isEnded = true
  return false
}

function padRow(row: usize): void {
  const end = row + ((<usize>encoder.width) << 2)
  const last = load<u32>(end - 4)
  for (let x = encoder.width; x < encoder.mcus * MCU; x++) store<u32>(row + ((<usize>x) << 2), last)
}

function addRow(): void {
  fillMcuRow(encoder.filledRows++, inputRow(), previousRow())
  nextInputRow()
  encoder.mcu = 0
}

/** A.2.3: four blocks of luminance, one of each chrominance. */
function storeMcu(): void {
  const luma = mcuRow.luma
  const lumaStride = mcuRow.lumaStride
  const x = (<usize>encoder.mcu) << 3
  const steps = reciprocals(0)
  const chromaSteps = reciprocals(1)
  for (let i: usize = 0; i < 4; i++) {
    const at = luma + 2 * x + ((i & 1) << 3) + (i >> 1) * 8 * lumaStride
    transform(at, lumaStride, steps)
    encoder.lumaDc = storeBlock(0, encoder.lumaDc)
  }
  transform(mcuRow.blue + x, mcuRow.chromaStride, chromaSteps)
  encoder.blueDc = storeBlock(2, encoder.blueDc)
  transform(mcuRow.red + x, mcuRow.chromaStride, chromaSteps)
  encoder.redDc = storeBlock(2, encoder.redDc)
}

/** Writes all tokens; the first ones choose the codes. False if the output is full. */
function flush(isWhole: bool): bool {
  if (!encoder.areCodesMade) {
    encoder.areCodesMade = true
    chooseCodes(isWhole)
    writeHeader(encoder.width, encoder.height)
  }
  return writeTokens()
}

/** Of a part of the image only: what did not occur yet may occur later, and needs a code as well. */
function chooseCodes(isWhole: bool): void {
  countSymbols(COUNTS)
  for (let table = 0; table < TABLES; table++) {
    const counts = COUNTS + ((<usize>(table * SYMBOLS)) << 2)
    if (!isWhole) countUnseen(counts, (table & 1) == 0)
    makeCodes(table, counts)
  }
}

/** Every symbol of baseline coding: sizes to 11 for DC; for AC runs of 0 to 15 and sizes of 1 to 10, EOB and ZRL. */
function countUnseen(counts: usize, isDc: bool): void {
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const size = symbol & 15
    const isPossible = isDc ? symbol <= 11 : (size >= 1 && size <= 10) || symbol == 0 || symbol == 0xf0
    if (isPossible) store<u32>(counts + ((<usize>symbol) << 2), load<u32>(counts + ((<usize>symbol) << 2)) + 1)
  }
}
