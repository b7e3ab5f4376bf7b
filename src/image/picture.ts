import type { AnyFacts } from './probe.ts'

/** A picture as a file, with what its header tells. */
export interface Picture {
  bytes: Uint8Array
  facts: AnyFacts
}
