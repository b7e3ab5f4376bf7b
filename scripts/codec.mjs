// Makes the modules in src/codec/build/, if what they are made of has changed: codec.wasm of src/codec/ (AssemblyScript), and
// av1.wasm (scripts/av1.mjs).
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ensureAv1 } from './av1.mjs'
import { digestOf } from './digest.mjs'
import { ROOT, runTool } from './installed.mjs'

const SOURCE = path.join(ROOT, 'src', 'codec')
const BUILD = path.join(SOURCE, 'build')

// 72 MiB in pages of 64 KiB: what the pictures of one isolate may take. Above it the module traps.
const MAXIMUM_PAGES = 1152

/** Makes the modules of the service unless they are there, made of the same. */
export function ensureCodec() {
  ensureModule(path.join(SOURCE, 'index.ts'), path.join(BUILD, 'codec.wasm'))
  ensureAv1()
}

/** Compiles an entry over src/codec/ to `wasm`, unless the last build was of the same sources: its digest lies beside it. */
export function ensureModule(entry, wasm) {
  const build = path.dirname(wasm)
  const digestFile = path.join(build, 'digest')
  const sources = [SOURCE, entry, path.join(ROOT, 'scripts', 'codec.mjs')]
  const digest = digestOf(sources, (file) => !file.startsWith(BUILD))
  if (existsSync(wasm) && existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest) return
  mkdirSync(build, { recursive: true })
  const options = [
    '-O3',
    '--noAssert',
    '--enable=simd',
    '--runtime=stub',
    '--use=abort=',
    '--disableWarning=112',
    `--maximumMemory=${MAXIMUM_PAGES}`,
  ]
  runTool('asc', [entry, ...options, '-o', wasm])
  writeFileSync(digestFile, digest)
}
