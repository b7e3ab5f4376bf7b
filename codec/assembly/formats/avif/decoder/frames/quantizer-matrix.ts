// Quantizer_Matrix of the levels that a frame uses: AV1 specification, 9.3. The matrices of smaller transforms are samples of
// those of 32x32 and 16x32, and those of wide ones are those of high ones turned.
import { QM_OFFSET, QUANTIZER_MATRICES } from '../../tables/quantizer-matrix'

const SQUARE_BYTES: usize = 528
const LEVEL_BYTES: usize = 528 + 512
const QM_TOTAL_SIZE: usize = 3344

/** The matrices of each plane, u8. */
const MATRICES: usize = memory.data(3 * 3344)

/** Address of the matrix of a plane for a transform size. */
export function matrixOf(plane: i32, txSz: i32): usize {
  return MATRICES + <usize>plane * QM_TOTAL_SIZE + load<u16>(QM_OFFSET + ((<usize>txSz) << 1))
}

/** Prepares the matrices of a plane. */
export function expandMatrices(plane: i32, level: i32): void {
  const source = QUANTIZER_MATRICES + <usize>(level * 2 + (plane > 0 ? 1 : 0)) * LEVEL_BYTES
  const rect = source + SQUARE_BYTES
  let at = MATRICES + <usize>plane * QM_TOTAL_SIZE
  at = fillSquare(at, source, 4, 3)
  at = fillSquare(at, source, 8, 1)
  at = fillSquare(at, source, 16, 0)
  at = fillSquare(at, source, 32, 0)
  at = fillRects(at, rect, 4, 8, 1, 1)
  at = fillRects(at, rect, 8, 16, 0, 0)
  at = fillRects(at, rect, 16, 32, 0, 0)
  at = fillRects(at, rect, 4, 16, 1, 0)
  fillRects(at, rect, 8, 32, 0, 0)
}

/** Every so many of 32x32, from `offset` on. Returns the address after them. */
function fillSquare(to: usize, source: usize, side: i32, offset: i32): usize {
  let at = to
  const step = 32 / side
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const row = max(i, j) * step + offset
      store<u8>(at++, load<u8>(source + ((row * (row + 1)) >> 1) + (min(i, j) * step + offset)))
    }
  }
  return at
}

/** Every so many of 16x32, and then the same turned. Returns the address after them. */
function fillRects(to: usize, rect: usize, w: i32, h: i32, offsetX: i32, offsetY: i32): usize {
  let at = to
  const stepX = 16 / w
  const stepY = 32 / h
  for (let i = 0; i < h; i++) {
    for (let j = 0; j < w; j++)
      store<u8>(at++, load<u8>(rect + <usize>((i * stepY + offsetY) * 16 + j * stepX + offsetX)))
  }
  for (let i = 0; i < w; i++) {
    for (let j = 0; j < h; j++)
      store<u8>(at++, load<u8>(rect + <usize>((j * stepY + offsetY) * 16 + i * stepX + offsetX)))
  }
  return at
}
