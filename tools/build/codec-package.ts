// Makes codec/dist/, the package that is published (`npm pack ./codec/dist`): an entry for Workers, Node.js and browsers each, the
// module beside them, and their types. Run by itself it installs what is missing first.
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { ensureInstalled, ROOT } from '../install/installed.mjs'
import { isObject, parseObject } from '../shared/json.ts'
import { runTool } from '../shared/processes.ts'
import { writeWhole } from '../shared/when-changed.ts'
import { CODEC_WASM, ensureCodec } from './codec.ts'
import { bundleCodec, CODEC_ENTRIES } from './codec-bundle.ts'

const CODEC = path.join(ROOT, 'codec')
const DIST = path.join(CODEC, 'dist')

ensureInstalled('all')
await ensureCodec()
rmSync(DIST, { recursive: true, force: true })
mkdirSync(DIST)
copyFileSync(CODEC_WASM, path.join(DIST, 'codec.wasm'))
for (const file of ['LICENSE', 'README.md']) copyFileSync(path.join(CODEC, file), path.join(DIST, file))
for (const entry of CODEC_ENTRIES) writeWhole(path.join(DIST, `${entry}.mjs`), await bundleCodec(entry))
const types = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--outDir', path.join(DIST, 'types')]
runTool('tsc', ['-p', CODEC, ...types])
writeWhole(path.join(DIST, 'package.json'), `${JSON.stringify(publishedManifest(), undefined, 2)}\n`)

/** The manifest of codec/ without what only the repository uses, and with the fields of its `publishConfig` in place of its own. */
function publishedManifest() {
  const {
    private: _private,
    imports: _imports,
    scripts: _scripts,
    publishConfig,
    ...manifest
  } = parseObject(readFileSync(path.join(CODEC, 'package.json'), 'utf8'))
  return { ...manifest, ...(isObject(publishConfig) ? publishConfig : {}) }
}
