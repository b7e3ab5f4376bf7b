// The modules of these tests, beside that of the package: their entries export parts that the package keeps to itself.
import path from 'node:path'
import { CODEC_WASM, ensureModule } from '../../tools/build/codec.ts'

/** The file of a module in codec/generated/, which tests import as `#generated/<name>.wasm`. */
export function generated(/** @type {string} */ name) {
  return path.join(path.dirname(CODEC_WASM), `${name}.wasm`)
}

/** Compiles both, where an entry or codec/assembly/ has changed. Returns their names. */
export async function ensureTestModules() {
  const entries = { 'codec-tests': 'entry.ts', 'codec-av1-tests': 'formats/avif/decoder/entry.ts' }
  for (const [name, entry] of Object.entries(entries)) {
    await ensureModule(path.join(import.meta.dirname, entry), generated(name))
  }
  return Object.keys(entries)
}
