// Prediction of a block that is copied from earlier in its tile: AV1 specification, 5.11.33 and 7.11.3. Vectors are whole luma
// samples; between two chroma samples the bilinear filter returns their mean.
import { block } from '../blocks/block'
import { current } from '../frames/frame'
import { frame } from '../frames/frame-header'
import { sampleAt } from '../frames/planes'
import { subsamplingX, subsamplingY } from '../frames/sequence-header'
import { colOf, rowOf } from '../modes/inter-map'

/** compute_prediction( ) where use_intrabc is 1: chroma that luma blocks share uses the vector of the last of them. */
export function predictIntrabc(): void {
  const w = block.bw4 << 2
  const h = block.bh4 << 2
  const mvRow = rowOf(block.vector0)
  const mvCol = colOf(block.vector0)
  copyBlock(0, block.miCol << 2, block.miRow << 2, w, h, mvRow, mvCol)
  if (!block.hasChroma) return
  const x = (block.miCol >> subsamplingX) << 2
  const y = (block.miRow >> subsamplingY) << 2
  const chromaW = max(4, w >> subsamplingX)
  const chromaH = max(4, h >> subsamplingY)
  for (let plane = 1; plane < 3; plane++) copyBlock(plane, x, y, chromaW, chromaH, mvRow, mvCol)
}

function copyBlock(plane: i32, x: i32, y: i32, w: i32, h: i32, mvRow: i32, mvCol: i32): void {
  const subX = plane > 0 ? subsamplingX : 0
  const subY = plane > 0 ? subsamplingY : 0
  const lastX = (((frame.miCols << 2) + subX) >> subX) - 1
  const lastY = (((frame.miRows << 2) + subY) >> subY) - 1
  const fromX = x + (mvCol >> (3 + subX))
  const fromY = y + (mvRow >> (3 + subY))
  // The fraction is a half or nothing.
  const halfX = subX == 1 ? (mvCol >> 3) & 1 : 0
  const halfY = subY == 1 ? (mvRow >> 3) & 1 : 0
  for (let i = 0; i < h; i++) {
    const row = sampleAt(current, plane, 0, min(fromY + i, lastY))
    const below = sampleAt(current, plane, 0, min(fromY + i + halfY, lastY))
    const to = sampleAt(current, plane, x, y + i)
    for (let j = 0; j < w; j++) {
      const a = (<usize>min(fromX + j, lastX)) << 1
      const b = (<usize>min(fromX + j + halfX, lastX)) << 1
      const sum = <i32>load<u16>(row + a) + load<u16>(row + b) + load<u16>(below + a) + load<u16>(below + b)
      store<u16>(to + ((<usize>j) << 1), <u16>((sum + 2) >> 2))
    }
  }
}
