// Runs test files of the suite at length: with numbers of the command line instead of those of `npm test`.

import path from 'node:path'
import { become, ensureInstalled, fail, ROOT } from '../install/installed.mjs'
import type { Options } from '../shared/command-line.ts'
import { readCommandLine } from '../shared/command-line.ts'
import { runScript } from '../shared/processes.ts'
import { NO_TIME_LIMIT } from './test-projects.ts'

/**
 * Runs test files of the contract suite in this process's place. `numbers` are the options that hold a whole number, with their
 * defaults, besides `--seed`; `environment` returns the variables that the tests read.
 */
export function runAtLength<Name extends string>({
  usage,
  numbers,
  words = {},
  switches = [],
  environment,
  files,
  flags = [],
}: {
  usage: string
  numbers: Record<Name, string>
  words?: Record<string, string>
  switches?: readonly string[]
  environment: (
    numbers: Record<Name, string>,
    more: { words: Record<string, string>; switches: ReadonlySet<string> },
  ) => Record<string, string>
  files: string[]
  flags?: string[]
}) {
  const options: Options = { seed: { type: 'string' } }
  for (const [name, value] of Object.entries({ ...numbers, ...words })) {
    options[name] = { type: 'string', default: String(value) }
  }
  for (const name of switches) options[name] = { type: 'boolean' }
  const { values } = readCommandLine({ usage, options })
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string') continue
    const isNumber = !(name in words)
    if (isNumber && !/^[1-9][0-9]{0,9}$/.test(value)) fail(`--${name} must be a whole number: received "${value}"`)
    texts[name] = value
  }
  const { seed, ...given } = texts
  const read = { ...numbers }
  for (const name in numbers) read[name] = texts[name] ?? numbers[name]
  const variables = environment(read, {
    words: given,
    switches: new Set(switches.filter((name) => values[name])),
  })
  ensureInstalled('all')
  runScript('build/made.ts')
  Object.assign(process.env, variables)
  if (seed !== undefined) process.env.TINTYPE_SEED = seed
  const paths = files.map((name) => path.join('test', 'contract', `${name}.test.ts`))
  const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  become(vitest, ['run', '--project', 'contract', ...paths, NO_TIME_LIMIT, ...flags])
}
