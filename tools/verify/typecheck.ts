// `npm run typecheck`: the types of everything, a project for each surroundings: Worker and tests, pages, command line, tools.

import { ensureInstalled } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'
import { runScript, runTool } from '../shared/processes.ts'

const PROJECTS = ['.', 'src/pages', 'cli', 'codec', 'test/browser', 'tools', 'bench']

readCommandLine({ usage: 'Usage: npm run typecheck\nChecks the types of everything.', options: {} })
ensureInstalled('all')
// Generated files are imported.
runScript('build/made.ts')
for (const project of PROJECTS) runTool('tsc', ['--noEmit', '-p', project])
