import type { Core } from './core.ts'

/** The input of a decoder, with one protocol for all formats (`decodeSteps`). */
export interface Source {
  /** Puts what is needed into the core's memory and opens its decoder; returns its status. */
  open(core: Core): number
  /** Returns what comes next to a decoder that needs it: piece by piece, between which rows may be pulled. Throws ImageRefusal. */
  give?(core: Core): Iterable<void>
  /** Is called at the end, however it comes. */
  close?(): void
}
