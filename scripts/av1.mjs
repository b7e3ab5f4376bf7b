// Makes generated/av1.wasm of the AV1 decoder (dav1d) in the package ogv. As it comes, its C stack has 64 KiB, below
// which lie dav1d's tables; the self-guided loop restoration filter (AV1 bitstream specification, 7.17.3) takes more and
// overwrites them. Here the stack begins 512 KiB higher, and the host makes the heap begin there: image/pixels/dav1d.ts.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './installed.mjs'
import { GENERATED, makeWhenChanged, writeWhole } from './when-changed.mjs'

const PACKAGED = path.join(ROOT, 'node_modules', 'ogv', 'dist', 'ogv-decoder-video-av1-simd-wasm.wasm')
/** The SHA-256 of that file in ogv 1.9.0: the numbers below are those of this module alone. */
const PACKAGED_SHA256 = '89a59e8cd67e5fd04890c6d49c2410f039a901c8424560a48fedadfff531f4a3'
const MADE = path.join(GENERATED, 'av1.wasm')

const STACK_START = 442_208
const STACK_ADDED = 512 * 1024

/** Makes the module unless the last one was made of the same package in the same way. Gives its file. */
export async function ensureAv1() {
  const sources = [PACKAGED, path.join(ROOT, 'scripts', 'av1.mjs')]
  await makeWhenChanged({ outputs: [MADE], sources, make: makeAv1 })
  return MADE
}

function makeAv1() {
  writeWhole(MADE, withLargerStack(readFileSync(PACKAGED)))
}

/**
 * The packaged module with the larger stack. Throws if it is any other than that of ogv 1.9.0.
 * @param {Buffer} packaged
 */
export function withLargerStack(packaged) {
  const sha256 = createHash('sha256').update(packaged).digest('hex')
  if (sha256 !== PACKAGED_SHA256) {
    throw new Error(`the AV1 decoder in the package ogv must be that of 1.9.0: its SHA-256 is ${sha256}`)
  }
  const made = Buffer.from(packaged)
  stackGlobal(STACK_START + STACK_ADDED).copy(made, made.indexOf(stackGlobal(STACK_START)))
  return made
}

/** The section of the module's only global, the stack pointer: i32, mutable, i32.const, its value as signed LEB128, end. */
function stackGlobal(/** @type {number} */ value) {
  const [low, middle, high] = [value & 127, (value >> 7) & 127, value >> 14]
  if (high > 63) throw new Error(`${value} needs more than three bytes`)
  return Buffer.from([6, 8, 1, 0x7f, 1, 0x41, low | 128, middle | 128, high, 0x0b])
}
