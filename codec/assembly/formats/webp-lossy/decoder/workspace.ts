// The macroblock being reconstructed, together with the pixels round it that prediction reads (RFC 6386 §12). Every
// line is 32 bytes. Luma: the line above, then 16 lines, column 0 at byte 16. The pixel to the left is byte 15; the
// four pixels above and to the right are the first bytes of the next line, which nothing else uses. Chroma: the line
// above, then 8 lines; U's column 0 at byte 8, V's at byte 24.
import { moveRightToLeft, STRIDE, setLeftBorder } from '../predict-plane'
import { BORDER_ABOVE, BORDER_LEFT } from '../tables'

const pixels: usize = memory.data(27 * 32, 16)
/** The macroblock's top left pixels. */
export const LUMA: usize = pixels + 32 + 16
export const U: usize = pixels + 18 * 32 + 8
export const V: usize = pixels + 18 * 32 + 24

/** Sets the pixels to the left of the first macroblock of a row, and the corner. */
export function startWorkspaceRow(topRow: bool): void {
  const corner = <u8>(topRow ? BORDER_ABOVE : BORDER_LEFT)
  setLeftBorder(LUMA, 16, corner)
  setLeftBorder(U, 8, corner)
  setLeftBorder(V, 8, corner)
}

/** Makes the right column of the macroblock (and of the line above it) the left column of the next. */
export function moveRight(): void {
  moveRightToLeft(LUMA, 16)
  moveRightToLeft(U, 8)
  moveRightToLeft(V, 8)
}

/**
 * Takes the line above: 16 pixels of luma and the four to the right of them, 8 of each chroma. Every subblock of
 * column 3 sees the same four pixels above and to the right, those of the macroblock above (§12.3).
 */
export function setLineAbove(y: usize, u: usize, v: usize): void {
  v128.store(LUMA - STRIDE, v128.load(y))
  const aboveRight = load<u32>(y, 16)
  for (let row = -1; row < 15; row += 4) store<u32>(LUMA + row * STRIDE + 16, aboveRight)
  store<u64>(U - STRIDE, load<u64>(u))
  store<u64>(V - STRIDE, load<u64>(v))
}

/** Copies the bottom line out, for the macroblock below. */
export function getBottomLine(y: usize, u: usize, v: usize): void {
  v128.store(y, v128.load(LUMA + 15 * STRIDE))
  store<u64>(u, load<u64>(U + 7 * STRIDE))
  store<u64>(v, load<u64>(V + 7 * STRIDE))
}

/** Copies the macroblock out to rows of `stride` bytes (luma) and `chromaStride` bytes. */
export function getMacroblock(y: usize, stride: usize, u: usize, v: usize, chromaStride: usize): void {
  for (let row = 0; row < 16; row++, y += stride) v128.store(y, v128.load(LUMA + row * STRIDE))
  for (let row = 0; row < 8; row++, u += chromaStride, v += chromaStride) {
    store<u64>(u, load<u64>(U + row * STRIDE))
    store<u64>(v, load<u64>(V + row * STRIDE))
  }
}
