// Limits the memory besides pixels: prefix codes and the small images of blocks. It depends on the file's content, not
// its size: about 1 MB for a photo of 48 megapixels. Blocks of 4 x 4 pixels throughout, which no known encoder writes,
// would need 36 MB for 100 megapixels.
import { checkpoint } from '../../../arena/memory'

const BUDGET: usize = 24 << 20

let began: usize = 0

/** Starts counting. */
export function startBudget(): void {
  began = checkpoint()
}

/** Whether all that was allocated since, and `bytes` more, keep within the budget. */
export function isWithinBudget(bytes: usize): bool {
  return checkpoint() - began + bytes <= BUDGET
}
