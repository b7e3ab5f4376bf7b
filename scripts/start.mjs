// `npm start`: installs what is missing, builds what has changed, then runs the service (scripts/serve.mjs) in the Node.js it
// needs.
import path from 'node:path'
import { become, ensureInstalled, ROOT, runScript } from './installed.mjs'
import { readStartOptions } from './start-options.mjs'

await readStartOptions()
ensureInstalled('service')
runScript('build.mjs')
become(path.join(ROOT, 'scripts', 'serve.mjs'), process.argv.slice(2))
