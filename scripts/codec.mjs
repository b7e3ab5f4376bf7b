// Makes the codecs in generated/: codec.wasm of src/codec/ (AssemblyScript), and av1.wasm (scripts/av1.mjs).
import { renameSync } from 'node:fs'
import path from 'node:path'
import { ensureAv1 } from './av1.mjs'
import { ROOT, runTool } from './installed.mjs'
import { GENERATED, makeWhenChanged } from './when-changed.mjs'

const SOURCE = path.join(ROOT, 'src', 'codec')

// 72 MiB in pages of 64 KiB: what the pictures of one isolate may take. Above it the module traps.
const MAXIMUM_PAGES = 1152

/** Makes the modules of the service unless they are there, made of the same. */
export async function ensureCodec() {
  await ensureModule(path.join(SOURCE, 'index.ts'), 'codec.wasm')
  await ensureAv1()
}

/** Compiles an entry over src/codec/ to this file in generated/, unless the last one was of the same sources. */
export function ensureModule(entry, name) {
  const wasm = path.join(GENERATED, name)
  const sources = [SOURCE, entry, import.meta.filename, path.join(ROOT, 'package-lock.json')]
  return makeWhenChanged({ outputs: [wasm], sources, make: () => compile(entry, wasm) })
}

function compile(entry, wasm) {
  const options = [
    '-O3',
    '--noAssert',
    '--enable=simd',
    '--runtime=stub',
    '--use=abort=',
    '--disableWarning=112',
    `--maximumMemory=${MAXIMUM_PAGES}`,
  ]
  const fresh = `${wasm}.${process.pid}.wasm`
  runTool('asc', [entry, ...options, '-o', fresh])
  renameSync(fresh, wasm)
}
