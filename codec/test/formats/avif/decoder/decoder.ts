import { createHash } from 'node:crypto'
import module from '#generated/codec-av1-tests.wasm'
import { Status } from '../../../../assembly/status.ts'
import type { Arena } from '../../../instance.ts'

/** The decoder as the tests call it; addresses are of the module's memory. */
export interface Av1Exports extends Arena {
  openAv1(from: number, bytes: number, wantsGrain: boolean): Status
  /** Wants whole planes of the rows to come. */
  gather(): void
  stepAv1(): Status
  planes(): number
  depth(): number
  columns(plane: number): number
  rows(plane: number): number
  planeAt(plane: number): number
}

/** The decoded planes of u16 samples, one after the other. */
interface Av1Image {
  readonly status: Status
  readonly depth: number
  readonly sizes: readonly { readonly columns: number; readonly rows: number }[]
  readonly samples: Uint16Array
}

/** A fresh instance of the AV1 decoder. */
export function newAv1Instance<Exports = Av1Exports>(): Exports {
  // The cast is of our own module's exports, not of input.
  return new WebAssembly.Instance(module).exports as unknown as Exports
}

/** Decodes the data of an AVIF item, or a file of open bitstream units; without an image where the headers are wrong. */
export function decodeAv1(av1: Av1Exports, bytes: Uint8Array, wantsGrain = false): Av1Image {
  let status = openAv1(av1, bytes, wantsGrain)
  if (status !== Status.Ok) return { status, depth: 0, sizes: [], samples: new Uint16Array() }
  av1.gather()
  do status = av1.stepAv1()
  while (status === Status.More)
  const sizes = Array.from({ length: av1.planes() }, (_, plane) => ({
    columns: av1.columns(plane),
    rows: av1.rows(plane),
  }))
  const samples = new Uint16Array(sizes.reduce((sum, { columns, rows }) => sum + columns * rows, 0))
  let at = 0
  sizes.forEach(({ columns, rows }, plane) => {
    samples.set(new Uint16Array(av1.memory.buffer, av1.planeAt(plane), columns * rows), at)
    at += columns * rows
  })
  return { status, depth: av1.depth(), sizes, samples }
}

/** Empties the arena, puts the bytes into it and opens them. */
export function openAv1(av1: Av1Exports, bytes: Uint8Array, wantsGrain: boolean): Status {
  av1.reset()
  const at = av1.allocate(bytes.length)
  new Uint8Array(av1.memory.buffer).set(bytes, at)
  return av1.openAv1(at, bytes.length, wantsGrain)
}

/** SHA-256 of the samples as u16, little-endian, in hexadecimal. */
export function checksum({ samples }: Av1Image): string {
  return createHash('sha256')
    .update(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
    .digest('hex')
}
