// Parses command lines, before anything is installed.
import { parseArgs } from 'node:util'
import { fail } from '../install/installed.mjs'

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

/**
 * The numbers of a command line, 0 or more, by the names of their options; `numbers` has their defaults. What is no number ends
 * the process with a sentence.
 * @template {string} Name
 * @param {{ usage: string, numbers: Record<Name, number>, flags?: string[] }} command `flags` are options without a value
 * @returns {{ numbers: Record<Name, number>, flags: Set<string> }} and the flags that were set
 */
export function readNumbers({ usage, numbers, flags = [] }) {
  const names = /** @type {Name[]} */ (Object.keys(numbers))
  /** @type {Options} */
  const options = {}
  for (const flag of flags) options[flag] = { type: 'boolean' }
  for (const name of names) options[name] = { type: 'string', default: String(numbers[name]) }
  const { values } = readCommandLine({ usage, options })
  const read = { ...numbers }
  for (const name of names) {
    if (!/^\d+(?:\.\d+)?$/.test(String(values[name]))) fail(`--${name} must be a number: received "${values[name]}"`)
    read[name] = Number(values[name])
  }
  return { numbers: read, flags: new Set(flags.filter((flag) => values[flag])) }
}

/** Returns the message of whatever was thrown. */
export function messageOf(/** @type {unknown} */ error) {
  return error instanceof Error ? error.message : String(error)
}

/** The code of an error of the system, such as `ENOENT`. */
export function codeOf(/** @type {unknown} */ error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
