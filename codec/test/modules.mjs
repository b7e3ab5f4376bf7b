// The modules of these tests, beside that of the package: their entries export parts that the package keeps to itself.
import path from 'node:path'
import { CODEC_WASM, ensureModule } from '../../tools/build/codec.ts'

/** The entries of the modules, by name. */
const ENTRIES = { 'codec-tests': 'entry.ts', 'codec-av1-tests': 'formats/avif/decoder/entry.ts' }

/** The file of a module in codec/generated/, which tests import as `#generated/<name>.wasm`. */
export function generated(/** @type {string} */ name) {
  return path.join(path.dirname(CODEC_WASM), `${name}.wasm`)
}

/**
 * Compiles them side by side, where an entry or codec/assembly/ has changed. Calls `then` with the name of each when it is there.
 * @param {(name: string) => unknown} [then]
 */
export async function ensureTestModules(then) {
  const compiling = Object.entries(ENTRIES).map(async ([name, entry]) => {
    await ensureModule(path.join(import.meta.dirname, entry), generated(name))
    await then?.(name)
  })
  await Promise.all(compiling)
}
