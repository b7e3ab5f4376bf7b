// `npm test`: every suite. Arguments go to vitest: `npm test -- --project unit test/domain`.
import path from 'node:path'
import { become, ensureInstalled, ROOT } from '../install/installed.mjs'
import { runScript } from '../shared/processes.ts'
import { needsServiceOnly, requireKnownProjects } from './test-projects.ts'

requireKnownProjects(process.argv.slice(2))
ensureInstalled('all')
runScript(needsServiceOnly(process.argv.slice(2)) ? 'build/made.ts' : '../codec/test/prepare.mjs')
become(path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs'), ['run', ...process.argv.slice(2)])
