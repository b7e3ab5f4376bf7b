// `npm start`: installs what is missing, builds what has changed, then runs the service (scripts/serve.mjs) in the Node.js it
// needs.
import path from 'node:path'
import { requireFreePort } from './free-port.mjs'
import { become, ensureInstalled, ROOT, runScript } from './installed.mjs'
import { readStartOptions } from './start-options.mjs'

const { host, port } = await readStartOptions()
if (process.env.PORT !== undefined) console.log('PORT is set and not read: choose a port with --port')
await requireFreePort({ host, port })
ensureInstalled('service')
runScript('build.mjs')
become(path.join(ROOT, 'scripts', 'serve.mjs'), process.argv.slice(2))
