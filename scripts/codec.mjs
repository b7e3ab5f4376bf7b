// Makes the codecs in generated/: codec.wasm of src/codec/ (AssemblyScript), and av1.wasm (scripts/av1.mjs).
import { renameSync } from 'node:fs'
import path from 'node:path'
import { ensureAv1 } from './av1.mjs'
import { ROOT, runTool } from './installed.mjs'
import { GENERATED, makeWhenChanged } from './when-changed.mjs'

const SOURCE = path.join(ROOT, 'src', 'codec')

/** The compiler's options, among them how far the module's memory may grow. */
const CONFIG = path.join(SOURCE, 'asconfig.json')

/** Makes the modules of the service unless they are there, made of the same. Gives their files. */
export async function ensureCodec() {
  return [await ensureModule(path.join(SOURCE, 'index.ts'), 'codec.wasm'), await ensureAv1()]
}

/**
 * Compiles an entry over src/codec/ to this file in generated/, unless the last one was of the same sources. Gives the file.
 * @param {string} entry
 * @param {string} name
 */
export async function ensureModule(entry, name) {
  const wasm = path.join(GENERATED, name)
  const sources = [SOURCE, entry, path.join(ROOT, 'scripts', 'codec.mjs'), path.join(ROOT, 'package-lock.json')]
  await makeWhenChanged({ outputs: [wasm], sources, make: () => compile(entry, wasm) })
  return wasm
}

/**
 * @param {string} entry
 * @param {string} wasm
 */
function compile(entry, wasm) {
  const fresh = `${wasm}.${process.pid}.wasm`
  runTool('asc', [entry, '--config', CONFIG, '-o', fresh])
  renameSync(fresh, wasm)
}
