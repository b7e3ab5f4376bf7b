// From pixels to coefficients and back: 8 pixels of 4 lines are a pair of blocks (transform.ts).
import { STRIDE } from '../predict-plane'
import { forwardTransform, inverseTransform, RESIDUAL } from './transform'

/** Transforms 8x4 source pixels. */
export function transformSource(source: usize, stride: usize, pair: usize): void {
  forwardTransform(
    v128.load_ext<u8>(source),
    v128.load_ext<u8>(source + stride),
    v128.load_ext<u8>(source + 2 * stride),
    v128.load_ext<u8>(source + 3 * stride),
    pair,
  )
}

/** Transforms 8x4 source pixels less their prediction in the workspace. */
export function transformResidual(source: usize, stride: usize, predicted: usize, pair: usize): void {
  forwardTransform(
    i16x8.sub(v128.load_ext<u8>(source), v128.load_ext<u8>(predicted)),
    i16x8.sub(v128.load_ext<u8>(source + stride), v128.load_ext<u8>(predicted + STRIDE)),
    i16x8.sub(v128.load_ext<u8>(source + 2 * stride), v128.load_ext<u8>(predicted + 2 * STRIDE)),
    i16x8.sub(v128.load_ext<u8>(source + 3 * stride), v128.load_ext<u8>(predicted + 3 * STRIDE)),
    pair,
  )
}

/** Adds the inverse transform of a dequantized pair to 8x4 predicted pixels of the workspace. */
export function reconstruct(pair: usize, predicted: usize): void {
  inverseTransform(pair)
  for (let y = 0; y < 4; y++) {
    const at = predicted + y * STRIDE
    const sum = i16x8.add(v128.load_ext<u8>(at), v128.load(RESIDUAL + 16 * y))
    v128.store64_lane(at, i8x16.narrow_i16x8_u(sum, sum), 0)
  }
}
