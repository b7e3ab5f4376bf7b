// The palette prediction process: AV1 specification, 7.11.4.
import { TX_HEIGHT, TX_WIDTH } from '../../tables/transform'
import { current } from '../frames/frame'
import { sampleAt, strideOf } from '../frames/planes'
import { paletteColors } from '../modes/palette'
import { colorMapAt } from '../modes/palette-tokens'

/** Predicts a transform block whose corner is `x`, `y` (units of 4 samples) from the block's. */
export function predictPalette(plane: i32, startX: i32, startY: i32, x: i32, y: i32, txSz: i32): void {
  const w = <i32>load<u8>(TX_WIDTH + txSz)
  const h = <i32>load<u8>(TX_HEIGHT + txSz)
  const palette = paletteColors(plane)
  const stride = strideOf(current, plane)
  let to = sampleAt(current, plane, startX, startY)
  for (let i = 0; i < h; i++) {
    const map = colorMapAt(plane > 0, (y << 2) + i, x << 2)
    for (let j = 0; j < w; j++)
      store<u16>(to + ((<usize>j) << 1), load<u16>(palette + ((<usize>load<u8>(map + j)) << 1)))
    to += stride
  }
}
