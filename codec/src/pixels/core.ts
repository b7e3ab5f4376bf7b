import module from '#generated/codec.wasm'
import { ROW_SLACK } from '../../assembly/arena/row-slack.ts'
import type { AlphaKind, ChromaSampling } from '../../assembly/pipeline/yuv-format.ts'
import { Status } from '../../assembly/status.ts'
import { ImageRefusal } from '../refusal.ts'
import { IDLE_MAX_BYTES, outOfMemory, SHARING_CORE_MAX_BYTES } from './budget.ts'
import { createInstances, dropWaiting } from './instances.ts'

/** What codec/assembly/index.ts exports: see there. Addresses and sizes are bytes of its memory. */
export interface Core {
  memory: WebAssembly.Memory
  reset(): void
  isFull(): boolean
  allocate(bytes: number): number
  peakBytes(): number

  toWebp(width: number, height: number, orientation: number, quality: number): void
  finishWebp(): Status
  fileStart(): number
  fileBytes(): number
  alphStart(): number
  alphaBytes(): number
  toPicture(width: number, height: number, orientation: number): void
  picture(): number
  toUprightRows(width: number, height: number, orientation: number, planar: boolean): void
  nextUprightRow(to: number): boolean

  openJpeg(file: number, bytes: number): Status
  startJpeg(oversampling: number, limit: number): Status
  stepJpeg(): Status
  openPng(
    ihdr: number,
    ihdrBytes: number,
    plte: number,
    plteBytes: number,
    trns: number,
    trnsBytes: number,
    canvasBudget: number,
  ): Status
  pngStepBytes(): number
  feedPng(at: number, bytes: number): Status
  isPngComplete(): boolean
  stepPng(): Status
  openGif(file: number, bytes: number): Status
  stepGif(): Status
  openVp8(frame: number, bytes: number): Status
  stepVp8(): Status
  openVp8l(data: number, bytes: number): Status
  stepVp8l(): Status
  openWebpAlpha(frame: number, frameBytes: number, alpha: number, alphaBytes: number): Status
  stepWebpAlpha(): Status
  openAv1(file: number, bytes: number, limit: number): Status
  narrowAv1(isFullRange: boolean, isRgb: boolean): void
  stepAv1(): Status
  av1Width(): number
  av1Height(): number
  av1Sampling(): ChromaSampling
  av1Colours(): number
  /** 0 or 1. */
  av1IsFullRange(): number
  av1First(): number
  av1End(): number
  av1Plane(plane: number): number
  av1Stride(): number
  av1ChromaStride(): number
  openYuv(
    width: number,
    height: number,
    sampling: ChromaSampling,
    matrix: number,
    isFullRange: boolean,
    alpha: AlphaKind,
  ): void
  feedYuv(
    y: number,
    cb: number,
    cr: number,
    yStride: number,
    chromaStride: number,
    alpha: number,
    alphaStride: number,
    rows: number,
  ): void
  expandRange(row: number, count: number): void
  openRgba(width: number, height: number): void
  feedRgba(pixels: number, rows: number): void
  transformColours(table: number): void
  finish(): Status

  inputRow(): number
  startJpegEncoder(width: number, height: number, quality: number): Status
  addJpegRow(): void
  encodeJpegRows(): boolean
  finishJpegEncoder(): boolean
  startPngEncoder(width: number): void
  encodePngRow(): boolean
  outputStart(): number
  outputBytes(): number
  clearOutput(): void
}

/** Why there is no picture. */
const REFUSALS: Record<Exclude<Status, Status.Ok | Status.More>, () => ImageRefusal> = {
  [Status.Malformed]: () => new ImageRefusal('unreadable', 'its data is damaged'),
  [Status.Unsupported]: () => new ImageRefusal('unreadable', 'its coding is one that is not supported'),
  [Status.NoPixels]: () => new ImageRefusal('unreadable', 'no pixel of it can be decoded'),
  [Status.OverBudget]: outOfMemory,
}

const coreBytes = ({ memory }: Core) => memory.buffer.byteLength
const cores = createInstances(IDLE_MAX_BYTES.core, coreBytes)
const secondCores = createInstances(IDLE_MAX_BYTES.secondCore, coreBytes)
const borrowedCores = createInstances(IDLE_MAX_BYTES.borrowedCore, coreBytes)

// The cast is of our own module's exports, not of input. A new one costs 0.1 ms.
function instantiate(): Core {
  return new WebAssembly.Instance(module).exports as unknown as Core
}

/**
 * Runs one job on the core, whose memory is the job's alone until its promise settles; `mayBorrow` says that it may take more
 * cores (`withBorrowedCores`). Throws ImageRefusal for a trap: over
 * its memory's limit, or for damage that no check caught.
 */
export async function runOnCore<Result>(
  job: (core: Core) => Promise<Result> | Result,
  { mayBorrow = false } = {},
): Promise<Result> {
  const core = cores.take(mayBorrow ? SHARING_CORE_MAX_BYTES : undefined) ?? cores.lend(instantiate())
  try {
    return await runOn([core], () => job(core))
  } finally {
    cores.giveBack(core)
  }
}

/** The same on two cores, for two pictures at once. */
export async function runOnTwoCores<Result>(job: (cores: readonly [Core, Core]) => Promise<Result>): Promise<Result> {
  const first = cores.take(SHARING_CORE_MAX_BYTES) ?? cores.lend(instantiate())
  const second = secondCores.take() ?? secondCores.lend(instantiate())
  try {
    return await runOn([first, second], () => job([first, second]))
  } finally {
    cores.giveBack(first)
    secondCores.giveBack(second)
  }
}

/** More cores for parts of a picture, while a job runs on one. */
export interface BorrowedCores {
  /** Another, whose memory is to be reset before it is used. */
  borrow(): Core
  /** What those that are borrowed take. */
  bytes(): number
}

/**
 * The steps of a job that may take all of the codecs' memory, on its own core and on such as it borrows, `isLikely` one at least;
 * they are given back when it ends. Throws ImageRefusal for a trap of theirs.
 */
export function* withBorrowedCores(
  isLikely: boolean,
  steps: (cores: BorrowedCores) => Generator<void>,
): Generator<void> {
  const borrowed: Core[] = []
  let spare = isLikely ? borrowedCores.take() : undefined
  dropWaiting()
  const borrow = () => {
    const core = spare ?? borrowedCores.lend(instantiate())
    spare = undefined
    borrowed.push(core)
    return core
  }
  try {
    yield* steps({ borrow, bytes: () => borrowed.reduce((sum, core) => sum + coreBytes(core), 0) })
  } catch (error) {
    // Else it is the job's own core that trapped.
    if (error instanceof WebAssembly.RuntimeError && borrowed.some((core) => core.isFull())) throw outOfMemory()
    throw error
  } finally {
    for (const core of spare ? [spare, ...borrowed] : borrowed) borrowedCores.giveBack(core)
  }
}

async function runOn<Result>(cores: readonly Core[], job: () => Promise<Result> | Result): Promise<Result> {
  for (const one of cores) one.reset()
  try {
    return await job()
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError)) throw error
    throw REFUSALS[cores.some((one) => one.isFull()) ? Status.OverBudget : Status.Malformed]()
  }
}

/** Throws ImageRefusal unless all is well, or is so far and more steps are to follow. */
export function requireOk(status: Status): void {
  if (status !== Status.Ok && status !== Status.More) throw REFUSALS[status]()
}

/** Repeats a decoder's step until it was the last: between two of them there may be rows to pull. Throws ImageRefusal. */
export function* stepUntilDone(step: () => Status): Generator<void> {
  let status = Status.More
  while (status === Status.More) {
    status = step()
    requireOk(status)
    yield
  }
}

/** Puts bytes into the core's memory and gives their address. */
export function put(core: Core, bytes: Uint8Array): number {
  const address = core.allocate(bytes.length + ROW_SLACK)
  view(core, address, bytes.length).set(bytes)
  return address
}

/** Bytes of the core's memory, until it grows. */
export function view(core: Core, address: number, bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(core.memory.buffer, address, bytes)
}

/** Takes a copy of what an encoder has written, and empties its output. */
export function takeOutput(core: Core): Uint8Array<ArrayBuffer> {
  const piece = view(core, core.outputStart(), core.outputBytes()).slice()
  core.clearOutput()
  return piece
}

/** Takes a copy of bytes out of the core's memory. */
export function take(core: Core, address: number, bytes: number): Uint8Array<ArrayBuffer> {
  return view(core, address, bytes).slice()
}
