import path from 'node:path'
import { ensureModule } from '../../scripts/codec.mjs'
import { ROOT } from '../../scripts/installed.mjs'

const HERE = path.join(ROOT, 'test', 'codec')

/** Compiles entry.ts to build/codec.wasm, if it or src/codec/ has changed. */
export default function setup() {
  ensureModule(path.join(HERE, 'entry.ts'), path.join(HERE, 'build', 'codec.wasm'))
}
