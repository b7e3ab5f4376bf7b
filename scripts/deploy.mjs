// `npm run deploy`: the migrations, then the Worker, to the account that `npx wrangler login` logged in to.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { ensureInstalled, fail, ROOT, runTool } from './installed.mjs'

const PLACEHOLDERS = ['tintype-one.example', '00000000-0000-0000-0000-000000000000']

ensureInstalled('service')
const config = readFileSync(path.join(ROOT, 'wrangler.toml'), 'utf8')
const production = config.slice(config.indexOf('\n[env.production]'))
const left = PLACEHOLDERS.filter((placeholder) => production.includes(placeholder))
if (left.length > 0) {
  fail(`wrangler.toml: put your own domains and database id under [env.production]: still there: ${left.join(', ')}`)
}
runTool('wrangler', ['d1', 'migrations', 'apply', 'DB', '--remote', '--env', 'production'])
runTool('wrangler', ['deploy', '--env', 'production'])
