// `npm start`: installs what is missing, builds what has changed, then runs the service (serve.ts).
import path from 'node:path'
import { become, ensureInstalled, ROOT } from '../install/installed.mjs'
import { runScript } from '../shared/processes.ts'

// The table of the options imports a package of this repository by its name.
ensureInstalled('service')
const { readStartOptions } = await import('./start-options.ts')
// Before the Worker is built for options that are refused.
await readStartOptions()
runScript('build/build.ts')
become(path.join(ROOT, 'tools', 'serve', 'serve.ts'), process.argv.slice(2))
// The process that started this one, in an older Node.js, has ended.
process.on('disconnect', () => process.exit(1))
