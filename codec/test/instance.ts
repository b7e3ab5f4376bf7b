import module from '#generated/codec-tests.wasm'
import { Status } from '../assembly/status.ts'

/** Exports for every part of the codec; sizes and addresses are bytes of the memory. */
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

/** Puts bytes into the memory of an instance; returns their address. */
export function put(instance: Arena, bytes: Uint8Array): number {
  const at = instance.allocate(bytes.length)
  new Uint8Array(instance.memory.buffer).set(bytes, at)
  return at
}

/** The RGBA that a decoder has made, of so many pixels; nothing where its `status` is that of a refusal. */
export function takeImage(decoder: Arena & { image(): number }, status: number, pixels: number): Buffer {
  const start = status === Status.Ok ? decoder.image() : 0
  const end = status === Status.Ok ? start + 4 * pixels : 0
  return Buffer.from(decoder.memory.buffer.slice(start, end))
}
