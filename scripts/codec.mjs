// Compiles src/codec/ (AssemblyScript) to src/codec/build/codec.wasm, if its sources have changed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { digestOf } from './digest.mjs'
import { ROOT, runTool } from './installed.mjs'

const SOURCE = path.join(ROOT, 'src', 'codec')
const BUILD = path.join(SOURCE, 'build')
const WASM = path.join(BUILD, 'codec.wasm')
const DIGEST = path.join(BUILD, 'digest')

// 72 MiB in pages of 64 KiB: what the pictures of one isolate may take. Above it the module traps.
const MAXIMUM_PAGES = 1152

/** Compiles unless the last build was of the same sources. */
export function ensureCodec() {
  const digest = digestOf([SOURCE, path.join(ROOT, 'scripts', 'codec.mjs')], (file) => !file.startsWith(BUILD))
  if (existsSync(WASM) && existsSync(DIGEST) && readFileSync(DIGEST, 'utf8') === digest) return
  mkdirSync(BUILD, { recursive: true })
  const options = [
    '-O3',
    '--noAssert',
    '--enable=simd',
    '--runtime=stub',
    '--use=abort=',
    '--disableWarning=112',
    `--maximumMemory=${MAXIMUM_PAGES}`,
  ]
  runTool('asc', [path.join(SOURCE, 'index.ts'), ...options, '-o', WASM])
  writeFileSync(DIGEST, digest)
}

// `node scripts/codec.mjs`: what wrangler calls before it bundles.
if (process.argv[1] === import.meta.filename) ensureCodec()
