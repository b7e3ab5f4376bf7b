// `npm run lint`: format and lint of every file. `npm run format` is the same with `--write`, which fixes what it can.

import { ensureInstalled } from '../install/installed.mjs'
import { readCommandLine } from '../shared/command-line.ts'
import { runTool } from '../shared/processes.ts'
import { lintAssembly } from './lint-assembly.ts'

const { values } = readCommandLine({
  usage: `Usage: npm run lint -- [options]
Looks at the format of every file, and for mistakes; npm run format is the same with --write.
  --write   mends what it can
  --help    this text`,
  options: { write: { type: 'boolean', default: false } },
})
ensureInstalled('all')
runTool('biome', ['check', ...(values.write ? ['--write'] : []), '.'])
lintAssembly(values.write)
