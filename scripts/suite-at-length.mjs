// Runs test files of the suite at length: with numbers of the command line in place of those of `npm test`.
import path from 'node:path'
import { readCommandLine } from './command-line.mjs'
import { become, ensureInstalled, fail, ROOT, runScript } from './installed.mjs'

/** However long a machine takes, no test is ended. */
const NO_TIME_LIMIT = '--test-timeout=86400000'

/**
 * Runs test files of the contract suite in this process's place. `numbers` are the options that hold a whole number, with their
 * defaults, besides `--seed`; `environment` gives what the tests read of them.
 * @template {string} Name
 * @param {{
 *   usage: string,
 *   numbers: Record<Name, string>,
 *   environment: (numbers: Record<Name, string>) => Record<string, string>,
 *   files: string[],
 *   flags?: string[],
 * }} suite
 */
export function runAtLength({ usage, numbers, environment, files, flags = [] }) {
  /** @type {Record<string, { type: 'string', default?: string }>} */
  const options = { seed: { type: 'string' } }
  for (const [name, value] of Object.entries(numbers)) options[name] = { type: 'string', default: String(value) }
  const { values } = readCommandLine({ usage, options })
  for (const [name, value] of Object.entries(values)) {
    if (!/^[1-9][0-9]{0,9}$/.test(String(value))) fail(`--${name} must be a whole number: received "${value}"`)
  }
  ensureInstalled('all')
  runScript('made.mjs')
  const { seed, ...given } = values
  Object.assign(process.env, environment(/** @type {Record<Name, string>} */ (given)))
  if (seed !== undefined) process.env.TINTYPE_SEED = String(seed)
  const paths = files.map((name) => path.join('test', 'contract', `${name}.test.ts`))
  const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  become(vitest, ['run', '--project', 'contract', ...paths, NO_TIME_LIMIT, ...flags])
}
