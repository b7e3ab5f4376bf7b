import path from 'node:path'
import { ensureModule } from '../../scripts/codec.mjs'

/** Compiles entry.ts to generated/codec-tests.wasm, if it or src/codec/ has changed. */
export default async function setup() {
  await ensureModule(path.join(import.meta.dirname, 'entry.ts'), 'codec-tests.wasm')
}
