import module from '#generated/codec-av1-tests.counted.wasm'
import type { Counter } from '../../../counted-instance.ts'
import type { Av1Exports } from './decoder.ts'

/** As `newAv1Instance`, of the module that counts the rounds of its loops (test/support/counted-modules.mjs). */
export function newCountedAv1Instance(): Av1Exports & Counter {
  // The cast is of our own module's exports, not of input.
  return new WebAssembly.Instance(module).exports as unknown as Av1Exports & Counter
}
