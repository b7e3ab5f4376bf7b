import { ROW_SLACK } from '../../assembly/arena/row-slack.ts'
import { Status } from '../../assembly/status.ts'
import type { Core } from '../../generated/core.ts'
import type { ColourChange } from '../colours/output-colours.ts'
import { ImageRefusal } from '../refusal.ts'
import { outOfMemory } from './budget.ts'

/** The exports of codec/assembly/index.ts, as typed by the compiler. Addresses and sizes are bytes of its memory. */
export type { Core }

const damaged = () => new ImageRefusal('unreadable', 'its data is damaged')

/** Why there is no image: all other statuses are none of a refusal. */
const REFUSALS: Partial<Record<number, () => ImageRefusal>> = {
  [Status.Malformed]: damaged,
  [Status.Unsupported]: () => new ImageRefusal('unreadable', 'its coding is one that is not supported'),
  [Status.NoPixels]: () => new ImageRefusal('unreadable', 'no pixel of it can be decoded'),
  [Status.OverBudget]: outOfMemory,
}

/** Throws ImageRefusal unless all is well, or is so far and more steps are to follow. */
export function requireOk(status: number): void {
  const refusal = REFUSALS[status]
  if (refusal) throw refusal()
}

/** The refusal of what ends by a trap: over its memory's limit, or for damage that no check caught. */
export function refusalOfTrap(cores: readonly Core[]): ImageRefusal {
  return cores.some((one) => one.isFull()) ? outOfMemory() : damaged()
}

/** Puts bytes into the core's memory and returns their address. */
export function put(core: Core, bytes: Uint8Array): number {
  const address = core.allocate(bytes.length + ROW_SLACK)
  view(core, address, bytes.length).set(bytes)
  return address
}

/** Has the colours of what is decoded next changed, where they are to be. To be called when the core knows what it is to make. */
export function changeColours(core: Core, change: ColourChange | undefined): void {
  if (!change) return
  const table = put(core, change.table)
  if (change.isGrid) core.transformColoursByGrid(table)
  else core.transformColours(table)
}

/** Has the colours of the next JPEGs of a job changed, where they are to be. */
export function changeJpegColours(core: Core, change: ColourChange | undefined): void {
  if (change?.isGrid) core.changeJpegColoursByGrid(put(core, change.table))
  else core.changeJpegColours(change ? put(core, change.table) : 0)
}

/** Bytes of the core's memory, until it grows. */
export function view(core: Core, address: number, bytes: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(core.memory.buffer, address, bytes)
}

/** Takes a copy of what an encoder has written, and empties its output. */
export function takeOutput(core: Core): Uint8Array<ArrayBuffer> {
  const chunk = view(core, core.outputStart(), core.outputBytes()).slice()
  core.clearOutput()
  return chunk
}

/** Takes a copy of bytes out of the core's memory. */
export function take(core: Core, address: number, bytes: number): Uint8Array<ArrayBuffer> {
  return view(core, address, bytes).slice()
}
