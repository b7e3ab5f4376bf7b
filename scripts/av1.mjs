// Makes generated/av1.wasm of the AV1 decoder (dav1d) in the package ogv. As it comes, its C stack has 64 KiB, below
// which lie dav1d's tables; the self-guided loop restoration filter (AV1 bitstream specification, 7.17.3) takes more and
// overwrites them. Here the stack begins 512 KiB higher, and the host makes the heap begin there: image/pixels/dav1d.ts.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './installed.mjs'
import { GENERATED, makeWhenChanged, writeWhole } from './when-changed.mjs'

const PACKAGED = path.join(ROOT, 'node_modules', 'ogv', 'dist', 'ogv-decoder-video-av1-simd-wasm.wasm')
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
  const wasm = readFileSync(PACKAGED)
  const packaged = stackGlobal(STACK_START)
  const at = wasm.indexOf(packaged)
  if (at < 0 || wasm.indexOf(packaged, at + 1) >= 0)
    throw new Error('the package ogv has another AV1 decoder than 1.9.0')
  stackGlobal(STACK_START + STACK_ADDED).copy(wasm, at)
  writeWhole(MADE, wasm)
}

/** The section of the module's only global, the stack pointer: i32, mutable, i32.const, its value as signed LEB128, end. */
function stackGlobal(value) {
  const [low, middle, high] = [value & 127, (value >> 7) & 127, value >> 14]
  if (high > 63) throw new Error(`${value} needs more than three bytes`)
  return Buffer.from([6, 8, 1, 0x7f, 1, 0x41, low | 128, middle | 128, high, 0x0b])
}
