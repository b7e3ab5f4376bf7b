// `npm start`: installs what is missing, then runs the service (scripts/serve.mjs) in the Node.js it needs.
import path from 'node:path'
import { become, ensureInstalled, ROOT } from './installed.mjs'

ensureInstalled()
become(path.join(ROOT, 'scripts', 'serve.mjs'), process.argv.slice(2))
