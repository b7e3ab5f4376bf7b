// Makes codec/dist/, what `npm pack` takes in codec/: the package for Workers, Node.js and browsers, the module beside it, and its
// types. Run by itself it installs what is missing first.
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensureInstalled, ROOT, runTool } from '../install/installed.mjs'
import { writeWhole } from '../shared/when-changed.mjs'
import { CODEC_WASM, ensureCodec } from './codec.mjs'
import { bundleCodec, CODEC_ENTRIES } from './codec-bundle.mjs'

const CODEC = path.join(ROOT, 'codec')
const DIST = path.join(CODEC, 'dist')

ensureInstalled('all')
await ensureCodec()
rmSync(DIST, { recursive: true, force: true })
mkdirSync(DIST)
copyFileSync(CODEC_WASM, path.join(DIST, 'codec.wasm'))
for (const entry of CODEC_ENTRIES) writeWhole(path.join(DIST, `${entry}.mjs`), await bundleCodec(entry))
const types = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', path.join(DIST, 'types')]
runTool('tsc', ['-p', CODEC, ...types])
