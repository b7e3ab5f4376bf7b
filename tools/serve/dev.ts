// `npm run dev`: `wrangler dev` on the local simulators; further arguments are passed on. Its build applies the migrations.
import { become, ensureInstalled, WRANGLER } from '../install/installed.mjs'
import { runScript } from '../shared/processes.ts'

ensureInstalled('service')
// wrangler looks for the folder of static assets before it builds.
runScript('build/made.ts')
become(WRANGLER, ['dev', '--env=', ...process.argv.slice(2)])
