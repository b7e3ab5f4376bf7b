// `npm run dev`: `wrangler dev` on the local simulators; further arguments are passed on. Its build applies the migrations.
import { become, ensureInstalled, WRANGLER } from '../install/installed.mjs'

ensureInstalled('service')
become(WRANGLER, ['dev', '--env=', ...process.argv.slice(2)])
