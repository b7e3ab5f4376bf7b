// The pixels of each pass: the seven of Adam7 (PNG, third edition, 8.2), and the whole image as an eighth.

/** The only pass of an image that is not interlaced. */
export const NOT_INTERLACED: i32 = 7
/** The passes of Adam7. */
export const ADAM7_PASSES: i32 = 7

const X_START: usize = memory.data<u8>([0, 4, 0, 2, 0, 1, 0, 0])
const Y_START: usize = memory.data<u8>([0, 0, 4, 0, 2, 0, 1, 0])
const X_STEP: usize = memory.data<u8>([8, 8, 4, 4, 2, 2, 1, 1])
const Y_STEP: usize = memory.data<u8>([8, 8, 8, 4, 4, 2, 2, 1])

/** The image's column of the pass's first pixel. */
export function passX(pass: i32): i32 {
  return load<u8>(X_START + pass)
}

/** Columns of the image from a pixel of the pass to the next. */
export function passXStep(pass: i32): i32 {
  return load<u8>(X_STEP + pass)
}

/** The image's row of row `y` of the pass. */
export function imageRow(pass: i32, y: i32): i32 {
  return <i32>load<u8>(Y_START + pass) + y * <i32>load<u8>(Y_STEP + pass)
}

/** Returns the number of pixels of a row of `width` in the pass. */
export function passColumns(pass: i32, width: i32): i32 {
  return count(width, load<u8>(X_START + pass), load<u8>(X_STEP + pass))
}

/** Returns the number of `height` rows in the pass. */
export function passRows(pass: i32, height: i32): i32 {
  return count(height, load<u8>(Y_START + pass), load<u8>(Y_STEP + pass))
}

/** Returns the number of columns of the pass to the left of column `x` of the image. */
export function passColumnsBefore(pass: i32, x: i32): i32 {
  return count(x, load<u8>(X_START + pass), load<u8>(X_STEP + pass))
}

/** Returns the number of rows of the pass above row `y` of the image. */
export function passRowsBefore(pass: i32, y: i32): i32 {
  return count(y, load<u8>(Y_START + pass), load<u8>(Y_STEP + pass))
}

/** Columns, or else rows, from a pixel of the pass back to the one of an earlier pass that fills its block until it comes. */
export function columnsToFiller(pass: i32): i32 {
  return load<u8>(X_START + pass)
}

/** The number of rows; see `columnsToFiller`. */
export function rowsToFiller(pass: i32): i32 {
  return load<u8>(Y_START + pass)
}

function count(length: i32, start: i32, step: i32): i32 {
  return length > start ? (length - start + step - 1) / step : 0
}
