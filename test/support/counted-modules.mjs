// Makes, of the codecs, modules that count the rounds of all their loops in an export `loops`: the same work is as many rounds
// on every machine, however busy. Tests of what must not take long count these.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import binaryen from 'assemblyscript/binaryen'
import { CODEC_WASM, ensureModule } from '../../scripts/codec.mjs'
import { ROOT } from '../../scripts/installed.mjs'
import { GENERATED, makeWhenChanged, writeWhole } from '../../scripts/when-changed.mjs'

const CODECS = [CODEC_WASM, path.join(GENERATED, 'codec-tests.wasm'), path.join(GENERATED, 'codec-av1-tests.wasm')]

const COUNTER = '(global $loops (mut i64) (i64.const 0)) (export "loops" (global $loops))'
const COUNT = '(global.set $loops (i64.add (global.get $loops) (i64.const 1)))'

/** Makes generated/<name>.counted.wasm of each codec, and before that the modules of the codec's tests, where one has changed. */
export default async function setup() {
  await ensureModule(path.join(ROOT, 'test', 'codec', 'entry.ts'), 'codec-tests.wasm')
  await ensureModule(path.join(ROOT, 'test', 'codec', 'av1', 'entry.ts'), 'codec-av1-tests.wasm')
  for (const wasm of CODECS) {
    const counted = path.join(GENERATED, `${path.basename(wasm, '.wasm')}.counted.wasm`)
    const make = () => writeWhole(counted, withCounter(readFileSync(wasm)))
    await makeWhenChanged({ outputs: [counted], sources: [wasm, import.meta.filename], make })
  }
}

function withCounter(wasm) {
  const text = ofAllFeatures(binaryen.readBinary(wasm)).emitText()
  const counting = text
    .replace(/\(loop(?: \$\S+)?(?: \(result[^)]*\))?/g, (loop) => `${loop} ${COUNT}`)
    .replace('\n (func ', `\n ${COUNTER}\n (func `)
  const module = ofAllFeatures(binaryen.parseText(counting))
  if (!module.validate()) throw new Error('the module that counts is not valid')
  return module.emitBinary()
}

function ofAllFeatures(module) {
  module.setFeatures(binaryen.Features.All)
  return module
}
