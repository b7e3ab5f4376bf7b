// What is asked of a command, read before anything is installed for it.
import { parseArgs } from 'node:util'
import { fail } from './installed.mjs'

/** @typedef {NonNullable<import('node:util').ParseArgsConfig['options']>} Options */

/**
 * The options and further words of a command line: of this process's where `args` is left out. `--help` prints the usage and
 * ends the process with success; an option that is not among these ends it with a sentence and the usage.
 * @template {Options} T
 * @param {{ usage: string, options: T, args?: string[], allowPositionals?: boolean, wrongUse?: number }} command
 */
export function readCommandLine({
  usage,
  options,
  args = process.argv.slice(2),
  allowPositionals = false,
  wrongUse = 1,
}) {
  const end = args.indexOf('--')
  if (args.slice(0, end < 0 ? undefined : end).includes('--help')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return parseArgs({ args, options, allowPositionals })
  } catch (error) {
    // Of Node's sentences the first says what is wrong.
    const [sentence] = messageOf(error).split('. ')
    fail(`${sentence}\n${usage}`, wrongUse)
  }
}

/** What an error says, whatever was thrown. */
export function messageOf(/** @type {unknown} */ error) {
  return error instanceof Error ? error.message : String(error)
}

/** The code of an error of the system, such as `ENOENT`. */
export function codeOf(/** @type {unknown} */ error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
