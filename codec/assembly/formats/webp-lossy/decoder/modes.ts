// The modes of the macroblocks, read one by one from the first partition: RFC 6386 §10, §11 and §19.3.
import {
  B_DC_PRED,
  B_PRED,
  BMODE_COUNT,
  BMODE_OF_YMODE,
  BMODE_TREE,
  KF_BMODE_PROBS,
  KF_UV_MODE_PROBS,
  KF_YMODE_PROBS,
  KF_YMODE_TREE,
  SEGMENT_TREE,
  UV_MODE_TREE,
} from '../tables'
import { BoolDecoder, readBool, readTree } from './bool-decoder'
import { header, SEGMENT_TREE_PROBS } from './frame-header'

const BMODE_NODES = 9

/** The macroblock whose modes were read last. */
@unmanaged
class Macroblock {
  /** The macroblock read last: its segment, whether it says that it has no coefficients, its modes. */
  segment: i32
  skipped: bool
  yMode: i32
  uvMode: i32
}

export const macroblock: Macroblock = changetype<Macroblock>(memory.data(offsetof<Macroblock>(), 4))

/** u8[16]: the subblock modes in raster order, if `yMode` is B_PRED. */
export const B_MODES: usize = memory.data(16)

/** u8[4]: the subblock modes left of the macroblock to be read. */
const leftModes: usize = memory.data(4)

/** Starts a frame whose subblock modes above, four bytes a macroblock column, are stored at `aboveModes`. */
export function startModes(aboveModes: usize, columns: i32): void {
  memory.fill(aboveModes, <u8>B_DC_PRED, <usize>columns * 4)
}

/** Starts a macroblock row. */
export function startModeRow(): void {
  memory.fill(leftModes, <u8>B_DC_PRED, 4)
}

/** Reads the modes of the next macroblock; `above` holds the four subblock modes above it and then its own. */
export function readModes(d: BoolDecoder, above: usize): void {
  macroblock.segment = header.segmentMapSent ? readTree(d, SEGMENT_TREE, SEGMENT_TREE_PROBS) : 0
  macroblock.skipped = header.skipFlagSent ? <bool>readBool(d, header.skipFalseProb) : false
  macroblock.yMode = readTree(d, KF_YMODE_TREE, KF_YMODE_PROBS)
  if (macroblock.yMode == B_PRED) readSubblockModes(d, above)
  else {
    const counted = load<u8>(BMODE_OF_YMODE + macroblock.yMode)
    memory.fill(above, counted, 4)
    memory.fill(leftModes, counted, 4)
  }
  macroblock.uvMode = readTree(d, UV_MODE_TREE, KF_UV_MODE_PROBS)
}

/** §11.3: the mode above and the mode to the left choose the probabilities. */
function readSubblockModes(d: BoolDecoder, above: usize): void {
  for (let row = 0; row < 4; row++) {
    let left = <i32>load<u8>(leftModes + row)
    for (let column = 0; column < 4; column++) {
      const context = <i32>load<u8>(above + column) * BMODE_COUNT + left
      left = readTree(d, BMODE_TREE, KF_BMODE_PROBS + context * BMODE_NODES)
      store<u8>(above + column, <u8>left)
      store<u8>(B_MODES + row * 4 + column, <u8>left)
    }
    store<u8>(leftModes + row, <u8>left)
  }
}
