// Makes codec/generated/ of codec/assembly/ (AssemblyScript): codec.wasm, and in core.ts what it exports.
import { renameSync } from 'node:fs'
import path from 'node:path'
import { ROOT, toolEnvironment } from '../install/installed.mjs'
import { runToolBeside } from '../shared/processes.ts'
import { makeWhenChanged } from '../shared/when-changed.ts'

const SOURCE = path.join(ROOT, 'codec', 'assembly')

/** The compiler's options, among them how far the module's memory may grow. */
const CONFIG = path.join(SOURCE, 'asconfig.json')

/** The transform that writes what the module exports. */
const INTERFACE = path.join(ROOT, 'tools', 'build', 'codec-interface.ts')

/** The transform that says which functions are not inlined. */
const CALLS = path.join(ROOT, 'tools', 'build', 'codec-calls.ts')

/** Options of modules that only tests use: these compile in 0.6 of the time, and the tests take no longer. */
const QUICKLY = ['--optimizeLevel', '1']

/** The compiled module, and its interface. */
export const CODEC_WASM = path.join(ROOT, 'codec', 'generated', 'codec.wasm')
const CODEC_TYPES = path.join(path.dirname(CODEC_WASM), 'core.ts')

/** Makes the module and its interface unless they are there, made of the same. Returns the module's file. */
export async function ensureCodec() {
  const entry = path.join(SOURCE, 'index.ts')
  const sources = [...sourcesOf(entry), INTERFACE]
  const make = () => compile(entry, CODEC_WASM, [], CODEC_TYPES)
  await makeWhenChanged({ what: 'the codec', outputs: [CODEC_WASM, CODEC_TYPES], sources, make })
  return CODEC_WASM
}

/** Compiles an entry over codec/assembly/ to this file, unless the last one was of the same sources. */
export async function ensureModule(entry: string, wasm: string) {
  await makeWhenChanged({
    what: path.basename(wasm),
    outputs: [wasm],
    sources: sourcesOf(entry),
    make: () => compile(entry, wasm, QUICKLY),
  })
}

function sourcesOf(entry: string) {
  return [SOURCE, entry, CALLS, path.join(ROOT, 'tools', 'build', 'codec.ts'), path.join(ROOT, 'package-lock.json')]
}

/** Compiles on one processor, beside other work of this process. */
async function compile(entry: string, wasm: string, options: readonly string[], types?: string) {
  const fresh = `.${process.pid}`
  const transforms = types === undefined ? [CALLS] : [CALLS, INTERFACE]
  const used = transforms.flatMap((transform) => ['--transform', `./${path.relative(ROOT, transform)}`])
  const env = types === undefined ? toolEnvironment() : { ...toolEnvironment(), CODEC_INTERFACE: `${types}${fresh}` }
  const file = path.relative(ROOT, entry)
  await runToolBeside('asc', [file, '--config', CONFIG, '-o', `${wasm}${fresh}.wasm`, ...options, ...used], env)
  renameSync(`${wasm}${fresh}.wasm`, wasm)
  if (types !== undefined) renameSync(`${types}${fresh}`, types)
  return []
}
