// `npm run typecheck`: the types of everything, a project for each surroundings: Worker and tests, pages, command line, scripts.
import { readCommandLine } from './command-line.mjs'
import { ensureInstalled, runScript, runTool } from './installed.mjs'

const PROJECTS = ['.', 'src/pages/client', 'cli', 'codec', 'test/browser', 'scripts']

readCommandLine({ usage: 'Usage: npm run typecheck\nChecks the types of everything.', options: {} })
ensureInstalled('all')
// Generated files are imported.
runScript('made.mjs')
for (const project of PROJECTS) runTool('tsc', ['--noEmit', '-p', project])
