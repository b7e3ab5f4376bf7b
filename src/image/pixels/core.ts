import module from '../../codec/build/codec.wasm'
import { ImageRefusal } from '../refusal.ts'

/** What src/codec/index.ts exports: see there. Addresses and sizes are bytes of its memory, statuses those of STATUSES. */
export interface Core {
  memory: WebAssembly.Memory
  reset(): void
  isFull(): boolean
  allocate(bytes: number): number

  toWebp(width: number, height: number, orientation: number, quality: number): void
  finishWebp(): number
  fileStart(): number
  fileBytes(): number
  toPicture(width: number, height: number, orientation: number): void
  picture(): number

  openJpeg(file: number, bytes: number): number
  decodeJpeg(oversampling: number, limit: number): number
  openPng(
    ihdr: number,
    ihdrBytes: number,
    plte: number,
    plteBytes: number,
    trns: number,
    trnsBytes: number,
    canvasBudget: number,
  ): number
  feedPng(at: number, bytes: number): number
  isPngComplete(): boolean
  finishPng(): number
  openGif(file: number, bytes: number): number
  decodeGif(): number
  openVp8(frame: number, bytes: number): number
  decodeVp8(): number
  openVp8l(data: number, bytes: number): number
  decodeVp8l(): number
  openWebpAlpha(frame: number, frameBytes: number, alpha: number, alphaBytes: number): number
  decodeWebpAlpha(): number
  openRgba(width: number, height: number): void
  feedRgba(pixels: number, rows: number): void
  finish(): number
}

/** Why there is no picture, by the statuses of src/codec/status.ts. */
const REFUSALS: readonly (ImageRefusal | undefined)[] = [
  undefined,
  new ImageRefusal('unreadable', 'its data is damaged'),
  new ImageRefusal('unreadable', 'its coding is one that is not supported'),
  new ImageRefusal('unreadable', 'no pixel of it can be decoded'),
  new ImageRefusal('over_budget', 'it takes more memory than a picture may'),
]

/** Vectors may read this far beyond what is given to the core. */
const SLACK_BYTES = 64

// Module code runs once an isolate, and so does this: memory of WebAssembly is given back late or never.
// The cast is of our own module's exports, not of input.
const core = new WebAssembly.Instance(module).exports as unknown as Core

/**
 * Runs one job on the core, whose memory is the job's alone until its promise settles. Throws ImageRefusal for a trap: over
 * its memory's limit, or for damage that no check caught.
 */
export async function runOnCore<Result>(job: (core: Core) => Promise<Result> | Result): Promise<Result> {
  core.reset()
  try {
    return await job(core)
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error
    throw REFUSALS[core.isFull() ? 4 : 1]
  }
}

/** Throws ImageRefusal for any status but that of success. */
export function requireOk(status: number): void {
  const refusal = REFUSALS[status]
  if (refusal) throw refusal
}

/** Puts bytes into the core's memory and gives their address. */
export function put(core: Core, bytes: Uint8Array): number {
  const address = core.allocate(bytes.length + SLACK_BYTES)
  new Uint8Array(core.memory.buffer, address, bytes.length).set(bytes)
  return address
}

/** Takes a copy of bytes out of the core's memory. */
export function take(core: Core, address: number, bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(core.memory.buffer, address, bytes).slice()
}
