// The codec's package as one file for each surroundings: only how the module is loaded differs.
import path from 'node:path'
import { ROOT } from '../install/installed.mjs'
import { bundle } from './bundle.ts'

/** The surroundings that the package has an entry for. */
export const CODEC_ENTRIES = ['workers', 'node', 'browser'] as const

/** The contents of `<entry>.mjs`, which looks for `codec.wasm` beside itself. */
export async function bundleCodec(entry: (typeof CODEC_ENTRIES)[number]) {
  const { contents } = await bundle({
    entryPoints: [path.join(ROOT, 'codec', 'src', `${entry}.ts`)],
    platform: entry === 'node' ? 'node' : 'neutral',
    target: 'es2022',
    alias: { '#generated/codec.wasm': './codec.wasm' },
    external: ['./codec.wasm'],
  })
  return contents
}
