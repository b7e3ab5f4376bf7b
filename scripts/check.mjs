// `npm run check`: format, lint, types, the OpenAPI document, and the deployable Worker with its size in the bundle.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { ensureBuilt } from './build.mjs'
import { continueInOwnNode, ensureInstalled, fail, runTool } from './installed.mjs'
import { ensureMade } from './made.mjs'

// A Worker of a free account may be 3 MB, compressed.
const BUNDLE_MAX_BYTES = 3 * 1024 * 1024

ensureInstalled()
continueInOwnNode()
const { document } = await ensureMade()
runTool('biome', ['check', '.'])
runTool('tsc', ['--noEmit'])
// The scripts of the pages know a browser, not a Worker.
runTool('tsc', ['--noEmit', '-p', 'src/pages/client'])
runTool('tsc', ['--noEmit', '-p', 'cli'])
runTool('tsc', ['--noEmit', '-p', 'test/browser'])
runTool('redocly', ['lint', document, '--extends=recommended-strict'])
const { folder } = await ensureBuilt()
const total = readdirSync(folder)
  .filter((file) => /\.(js|wasm)$/.test(file))
  .map((file) => ({ file, bytes: gzipSync(readFileSync(path.join(folder, file)), { level: 9 }).length }))
  .sort((a, b) => b.bytes - a.bytes)
  .reduce((sum, { file, bytes }) => {
    console.log(`${String(bytes).padStart(9)} bytes gzip  ${file}`)
    return sum + bytes
  }, 0)
console.log(`${String(total).padStart(9)} bytes gzip in all, of ${BUNDLE_MAX_BYTES}`)
if (total > BUNDLE_MAX_BYTES) fail(`the bundle must be at most ${BUNDLE_MAX_BYTES} bytes gzip: it is ${total}`)
