// The positions of the coefficients of a transform block in the order of its scan, with what their contexts need: AV1
// specification, 5.11.41, 8.3.2 and the scan tables of 9.3.
import { ADJUSTED_TX_SIZE, COEFF_BASE_CTX_OFFSET, TX_HEIGHT, TX_WIDTH } from '../../tables/transform'

export const TX_CLASS_2D: i32 = 0
export const TX_CLASS_HORIZ: i32 = 1
export const TX_CLASS_VERT: i32 = 2

const TX_SIZES_ALL: usize = 19

// A position, u16: its cell (11 bits), then its part of the context of coeff_base (5 bits). Cells are in rows twice as wide as the
// transform.
export const CELL_MASK: u32 = 0x7ff
export const CONTEXT_BITS: u32 = 11

/** The positions by class and size, made when they are needed first: of two dimensions all sizes, else 16x16 at most. */
const POSITIONS: usize = memory.data(2 * (7440 + 2 * 784), 16)
/** Where the positions of a class and size are; 0 for those that were not made. */
const MADE: usize = memory.data(4 * 3 * 19, 4)
/** The bytes of POSITIONS that are used. */
const USED: usize = memory.data(4, 4)

/** Returns the positions of a transform size and class. */
export function positionsOf(txSz: i32, txClass: i32): usize {
  const entry = MADE + ((<usize>txClass * TX_SIZES_ALL + txSz) << 2)
  const made = load<u32>(entry)
  if (made != 0) return made
  const from = POSITIONS + load<u32>(USED)
  const adjusted = load<u8>(ADJUSTED_TX_SIZE + txSz)
  const end = makePositions(from, txSz, txClass, load<u8>(TX_WIDTH + adjusted), load<u8>(TX_HEIGHT + adjusted))
  store<u32>(entry, <u32>from)
  store<u32>(USED, <u32>(end - POSITIONS))
  return from
}

/** get_scan( ): writes positions to `to`, and returns their end. */
function makePositions(to: usize, txSz: i32, txClass: i32, w: i32, h: i32): usize {
  let at = to
  if (txClass == TX_CLASS_2D) {
    for (let diagonal = 0; diagonal < w + h - 1; diagonal++) {
      const first = max(0, diagonal - w + 1)
      const last = min(h - 1, diagonal)
      // Of a square each diagonal the other way, else all of them along the longer side.
      const isUp = w == h ? (diagonal & 1) == 0 : w > h
      for (let i = 0; i <= last - first; i++) {
        const row = isUp ? last - i : first + i
        at = addPosition(at, row, diagonal - row, w, contextOf(txSz, row, diagonal - row))
      }
    }
  } else if (txClass == TX_CLASS_VERT) {
    for (let row = 0; row < h; row++)
      for (let col = 0; col < w; col++) at = addPosition(at, row, col, w, 5 * min(row, 2))
  } else {
    for (let col = 0; col < w; col++)
      for (let row = 0; row < h; row++) at = addPosition(at, row, col, w, 5 * min(col, 2))
  }
  return at
}

/** Coeff_Base_Ctx_Offset */
function contextOf(txSz: i32, row: i32, col: i32): i32 {
  return load<u8>(COEFF_BASE_CTX_OFFSET + txSz * 25 + (min(row, 4) * 5 + min(col, 4)))
}

function addPosition(at: usize, row: i32, col: i32, w: i32, context: i32): usize {
  store<u16>(at, <u16>(row * 2 * w + col + (context << CONTEXT_BITS)))
  return at + 2
}
