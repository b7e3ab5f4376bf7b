// `npm run dev`: `wrangler dev` on the local simulators, with the migrations applied; further arguments are passed on.
import path from 'node:path'
import { become, ensureInstalled, ROOT, runTool, toolEnvironment } from './installed.mjs'

ensureInstalled('service')
runTool('wrangler', ['d1', 'migrations', 'apply', 'DB', '--local', '--env='], {
  env: { ...toolEnvironment(), CI: '1' },
  stdio: ['ignore', 'ignore', 'inherit'],
})
become(path.join(ROOT, 'node_modules', 'wrangler', 'bin', 'wrangler.js'), ['dev', '--env=', ...process.argv.slice(2)])
