// The suites of `npm test`: vitest.config.ts has a project for each.
import { fail } from '../install/installed.mjs'

/** Option of Vitest for long runs: no test is ended, however long a machine takes. */
export const NO_TIME_LIMIT = '--test-timeout=86400000'

/**
 * Names of the suites. `codec-tools`, `browsers`, `editors`, `plugins` and those of S3 need programs or packages that not every
 * machine has, so their commands add them.
 */
const PROJECTS = [
  'unit',
  'unit-node',
  'codec',
  ...(process.env.CODEC_TOOLS ? ['codec-tools'] : []),
  ...(process.env.S3_SERVER ? ['s3-store', 's3-service'] : []),
  ...(process.env.BROWSERS ? ['browsers'] : []),
  ...(process.env.EDITORS ? ['editors'] : []),
  ...(process.env.PLUGINS ? ['plugins'] : []),
  'contract',
  'clients',
  'cli',
  'browser',
]

/** Ends the process with a sentence if `--project` names none of them. As in Vitest, a name may have `*` in it, or `!` before it. */
export function requireKnownProjects(args: string[]) {
  for (const name of namesIn(args)) {
    const pattern = name.replace(/^!/, '').replaceAll('*', '.*')
    if (PROJECTS.some((project) => new RegExp(`^${pattern}$`).test(project))) continue
    fail(`there is no test project "${name}": choose from ${PROJECTS.join(', ')}`)
  }
}

/** Whether the arguments of `npm test` name only suites that use no module of the codec's tests. */
export function needsServiceOnly(args: string[]): boolean {
  const names = namesIn(args)
  return names.length > 0 && names.every((name) => ['unit', 'contract', 'clients', 'cli', 'browser'].includes(name))
}

function namesIn(args: string[]) {
  return args.flatMap((arg, index) => {
    if (arg === '--project') return [args[index + 1] ?? '']
    return arg.startsWith('--project=') ? [arg.slice('--project='.length)] : []
  })
}
