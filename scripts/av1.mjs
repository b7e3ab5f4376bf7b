// Makes src/codec/build/av1.wasm of the AV1 decoder (dav1d) in the package ogv. As it comes, its C stack has 64 KiB, below
// which lie dav1d's tables; the self-guided loop restoration filter (AV1 bitstream specification, 7.17.3) takes more and
// overwrites them. Here the stack begins 512 KiB higher, and the host makes the heap begin there: image/pixels/av1-decoder.ts.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { digestOf } from './digest.mjs'
import { ROOT } from './installed.mjs'

const PACKAGED = path.join(ROOT, 'node_modules', 'ogv', 'dist', 'ogv-decoder-video-av1-simd-wasm.wasm')
const BUILD = path.join(ROOT, 'src', 'codec', 'build')
const MADE = path.join(BUILD, 'av1.wasm')
const DIGEST = path.join(BUILD, 'av1.digest')

const STACK_START = 442_208
const STACK_ADDED = 512 * 1024

/** Makes the module unless the last one was made of the same package in the same way. */
export function ensureAv1() {
  const digest = digestOf([PACKAGED, import.meta.filename])
  if (existsSync(MADE) && existsSync(DIGEST) && readFileSync(DIGEST, 'utf8') === digest) return
  const wasm = readFileSync(PACKAGED)
  const packaged = stackGlobal(STACK_START)
  const at = wasm.indexOf(packaged)
  if (at < 0 || wasm.indexOf(packaged, at + 1) >= 0)
    throw new Error('the package ogv has another AV1 decoder than 1.9.0')
  stackGlobal(STACK_START + STACK_ADDED).copy(wasm, at)
  mkdirSync(BUILD, { recursive: true })
  writeFileSync(MADE, wasm)
  writeFileSync(DIGEST, digest)
}

/** The section of the module's only global, the stack pointer: i32, mutable, i32.const, its value as signed LEB128, end. */
function stackGlobal(value) {
  const [low, middle, high] = [value & 127, (value >> 7) & 127, value >> 14]
  if (high > 63) throw new Error(`${value} needs more than three bytes`)
  return Buffer.from([6, 8, 1, 0x7f, 1, 0x41, low | 128, middle | 128, high, 0x0b])
}
