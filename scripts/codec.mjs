// Makes generated/codec.wasm of codec/assembly/ (AssemblyScript).
import { renameSync } from 'node:fs'
import path from 'node:path'
import { ROOT, runTool } from './installed.mjs'
import { GENERATED, makeWhenChanged } from './when-changed.mjs'

const SOURCE = path.join(ROOT, 'codec', 'assembly')

/** The compiler's options, among them how far the module's memory may grow. */
const CONFIG = path.join(SOURCE, 'asconfig.json')

/** Makes the module of the service unless it is there, made of the same. Gives its file. */
export async function ensureCodec() {
  return ensureModule(path.join(SOURCE, 'index.ts'), 'codec.wasm')
}

/**
 * Compiles an entry over codec/assembly/ to this file in generated/, unless the last one was of the same sources. Gives the file.
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
