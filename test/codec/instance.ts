import module from '#generated/codec-tests.wasm'

/** What every part of the codec is used with; sizes and addresses are bytes of the memory. */
export interface Arena {
  readonly memory: WebAssembly.Memory
  reset(): void
  allocate(bytes: number): number
  peakBytes(): number
}

/** A fresh instance of the module that entry.ts is compiled to, as the exports that a test is about. */
export function newInstance<Exports extends Arena>(): Exports {
  // The cast is of our own module's exports, not of input.
  return new WebAssembly.Instance(module).exports as unknown as Exports
}
