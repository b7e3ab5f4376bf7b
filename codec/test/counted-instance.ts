import module from '#generated/codec-tests.counted.wasm'
import type { Arena } from './instance.ts'

export interface Counter {
  /** The rounds of all its loops so far. */
  readonly loops: { readonly value: bigint }
}

/** A fresh instance that counts: as `newInstance`, of the module that counted-modules.mjs makes. */
export function newCountedInstance<Exports extends Arena>(): Exports & Counter {
  // The cast is of our own module's exports, not of input.
  return new WebAssembly.Instance(module).exports as unknown as Exports & Counter
}

/** The rounds of loops that a job takes on this instance. */
export function roundsOf({ loops }: Counter, job: () => unknown): number {
  const before = loops.value
  job()
  return Number(loops.value - before)
}
