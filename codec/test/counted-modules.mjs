// Makes, of the codecs, modules that count the rounds of all their loops in an export `loops`: the same work is as many rounds
// on every machine, however busy. Tests of what must not take long count these.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import binaryen from 'assemblyscript/binaryen'
import { makeWhenChanged, writeWhole } from '../../tools/shared/when-changed.ts'
import { ensureTestModules, generated } from './modules.mjs'

const COUNTER = '(global $loops (mut i64) (i64.const 0)) (export "loops" (global $loops))'
const COUNT = '(global.set $loops (i64.add (global.get $loops) (i64.const 1)))'

/** Makes the counted module of the codec, which is there, and of the modules of the tests, before which it compiles those. */
export default async function setup() {
  await ensureCounted('codec')
  await ensureTestModules(ensureCounted)
}

/** Makes codec/generated/<name>.counted.wasm of a module, where it has changed. */
export async function ensureCounted(/** @type {string} */ name) {
  const [wasm, counted] = [generated(name), generated(`${name}.counted`)]
  const make = () => {
    writeWhole(counted, withCounter(readFileSync(wasm)))
    return []
  }
  await makeWhenChanged({
    what: path.basename(counted),
    outputs: [counted],
    sources: [wasm, import.meta.filename],
    make,
  })
}

function withCounter(/** @type {Uint8Array} */ wasm) {
  const text = ofAllFeatures(binaryen.readBinary(wasm)).emitText()
  const counting = text
    .replace(/\(loop(?: \$\S+)?(?: \(result[^)]*\))?/g, (/** @type {string} */ loop) => `${loop} ${COUNT}`)
    .replace('\n (func ', `\n ${COUNTER}\n (func `)
  const module = ofAllFeatures(binaryen.parseText(counting))
  if (!module.validate()) throw new Error('the module that counts is not valid')
  return module.emitBinary()
}

function ofAllFeatures(/** @type {ReturnType<typeof binaryen.readBinary>} */ module) {
  module.setFeatures(binaryen.Features.All)
  return module
}
