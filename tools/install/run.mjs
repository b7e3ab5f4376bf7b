// Runs a command of tools/: `node tools/install/run.mjs serve/start.ts --port 8080`. The commands are TypeScript. If this Node.js
// reads none, the packages are installed first, and the Node.js among them runs the command.
//
// This folder alone is plain JavaScript: it runs before anything is installed, in any Node.js from 20.
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { requireFreePort } from './free-port.mjs'
import { become, ensureInstalled, fail, ROOT } from './installed.mjs'

/** `npm start`. */
const START = 'serve/start.ts'

const [name = fail('Usage: node tools/install/run.mjs FILE [options]'), ...args] = process.argv.slice(2)

if (name === START && !process.connected) {
  if (process.env.PORT !== undefined) console.log('PORT is set and not read: choose a port with --port')
  await requireFreePort(args)
}
if (process.features.typescript) {
  const file = path.join(ROOT, 'tools', name)
  process.argv = [process.execPath, file, ...args]
  await import(pathToFileURL(file).href)
} else {
  // This process was started below, so there is no newer Node.js.
  if (process.connected) fail('the commands need Node.js 22.18 or later')
  ensureInstalled('service')
  become(fileURLToPath(import.meta.url), [name, ...args])
}
