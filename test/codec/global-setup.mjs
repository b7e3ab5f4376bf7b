import path from 'node:path'
import { ensureModule } from '../../scripts/codec.mjs'

/** Compiles entry.ts and av1/entry.ts to generated/codec-tests.wasm and -av1-tests.wasm, if they or codec/assembly/ have changed. */
export default async function setup() {
  await ensureModule(path.join(import.meta.dirname, 'entry.ts'), 'codec-tests.wasm')
  await ensureModule(path.join(import.meta.dirname, 'av1', 'entry.ts'), 'codec-av1-tests.wasm')
}
