// `npm start`: installs what is missing, builds what has changed, then runs the service (tools/serve/serve.mjs) in the Node.js it
// needs.
import path from 'node:path'
import { become, ensureInstalled, fail, ROOT, runScript } from '../install/installed.mjs'
import { requireFreePort } from './free-port.mjs'

if (process.features.typescript) await start()
else startInOwnNode()

async function start() {
  // The table of the options imports a package of this repository by its name.
  ensureInstalled('service')
  const { readStartOptions } = await import('./start-options.mjs')
  const { host, port } = await readStartOptions()
  if (process.env.PORT !== undefined) console.log('PORT is set and not read: choose a port with --port')
  await requireFreePort({ host, port })
  runScript('build/build.mjs')
  become(path.join(ROOT, 'tools', 'serve', 'serve.mjs'), process.argv.slice(2))
  // The process that started this one, in an older Node.js, is gone.
  process.on('disconnect', () => process.exit(1))
}

/** The options are a table in TypeScript, which an older Node.js cannot read. */
function startInOwnNode() {
  // This is that Node.js.
  if (process.connected) fail('npm start needs Node.js 22.18 or later')
  ensureInstalled('service')
  become(path.join(ROOT, 'tools', 'serve', 'start.mjs'), process.argv.slice(2))
}
