// Makes codec/dist/, what `npm pack` takes in codec/: the package for Workers, Node.js and browsers, the module beside it, and its
// types. Run by itself it installs what is missing first.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { bundle } from './bundle.mjs'
import { CODEC_WASM, ensureCodec } from './codec.mjs'
import { ensureInstalled, ROOT, runTool } from './installed.mjs'
import { writeWhole } from './when-changed.mjs'

const CODEC = path.join(ROOT, 'codec')
const DIST = path.join(CODEC, 'dist')

/** For each surroundings a file: only how the module is loaded differs. */
const ENTRIES = ['workers', 'node', 'browser']

ensureInstalled('all')
await ensureCodec()
rmSync(DIST, { recursive: true, force: true })
mkdirSync(DIST)
copyFileSync(CODEC_WASM, path.join(DIST, 'codec.wasm'))
for (const entry of ENTRIES) {
  const { contents } = await bundle({
    entryPoints: [path.join(CODEC, 'src', `${entry}.ts`)],
    platform: entry === 'node' ? 'node' : 'neutral',
    target: 'es2022',
    alias: { '#generated/codec.wasm': './codec.wasm' },
    external: ['./codec.wasm'],
  })
  writeWhole(path.join(DIST, `${entry}.mjs`), contents)
}
const types = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', path.join(DIST, 'types')]
runTool('tsc', ['-p', CODEC, ...types])
