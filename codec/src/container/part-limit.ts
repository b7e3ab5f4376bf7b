import { ImageRefusal } from '../refusal.ts'

/** A file of 10 MB in parts of 100 bytes. That many take some milliseconds to walk; without a limit there could be millions. */
const MAX_PARTS = 100_000

/** Refuses an image ('over_budget') with more segments or chunks than any encoder writes. */
export function requireFewParts(count: number): void {
  if (count > MAX_PARTS) {
    throw new ImageRefusal('over_budget', `a picture must have at most ${MAX_PARTS} segments or chunks: received more`)
  }
}
