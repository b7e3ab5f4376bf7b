// `npm run check`: format and lint, types, the OpenAPI document, the drawn icons, and the deployable Worker with its size.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { WORKER } from '../build/build.ts'
import { OPENAPI_DOCUMENT } from '../build/openapi.ts'
import { continueInOwnNode, ensureInstalled, fail } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'
import { runScript, runTool } from '../shared/processes.ts'

// Cloudflare takes 3 MB of a free account. This bound is our own.
const BUNDLE_MAX_BYTES = 500_000

readCommandLine({
  usage: `Usage: npm run check
Holds format, lint, types, the API's description, the icons, and the size of the deployable Worker.`,
  options: {},
})
ensureInstalled('all')
continueInOwnNode()
runScript('verify/lint.ts')
runScript('verify/typecheck.ts')
// Published programs send a form to `/new-upload/`, with the slash.
const RULES = ['--extends=recommended-strict', '--skip-rule=no-path-trailing-slash']
runTool('redocly', ['lint', OPENAPI_DOCUMENT, ...RULES])
runScript('build/icons.ts', ['--check'])
runScript('build/build.ts')
checkSize()

function checkSize() {
  const sizes = readdirSync(WORKER)
    .filter((file) => /\.(js|wasm)$/.test(file))
    .map((file) => ({ file, bytes: gzipSync(readFileSync(path.join(WORKER, file)), { level: 9 }).length }))
    .sort((a, b) => b.bytes - a.bytes)
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { file, bytes } of sizes) console.log(`${String(bytes).padStart(9)} bytes gzip  ${file}`)
  console.log(`${String(total).padStart(9)} bytes gzip in all, of ${BUNDLE_MAX_BYTES}`)
  if (total > BUNDLE_MAX_BYTES) fail(`the bundle must be at most ${BUNDLE_MAX_BYTES} bytes gzip: it is ${total}`)
}
