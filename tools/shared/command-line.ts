// Parses command lines, before anything is installed.
import type { ParseArgsConfig } from 'node:util'
import { parseArgs } from 'node:util'
import { fail } from '../install/installed.mjs'

export type Options = NonNullable<ParseArgsConfig['options']>

/**
 * The options and further words of a command line: of this process's where `args` is left out. `--help` prints the usage and
 * ends the process with success; an option that is not among these ends it with a sentence and the usage.
 */
export function readCommandLine<T extends Options>({
  usage,
  options,
  args = process.argv.slice(2),
  allowPositionals = false,
  wrongUse = 1,
}: {
  usage: string
  options: T
  args?: string[]
  allowPositionals?: boolean
  wrongUse?: number
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
 * Returns the numbers of a command line, 0 or more, by the names of their options, and the flags that were set. `numbers` has the
 * defaults, `flags` are options without a value. What is no number ends the process with a sentence.
 */
export function readNumbers<Name extends string>({
  usage,
  numbers,
  flags = [],
}: {
  usage: string
  numbers: Record<Name, number>
  flags?: string[]
}): { numbers: Record<Name, number>; flags: Set<string> } {
  const options: Options = {}
  for (const flag of flags) options[flag] = { type: 'boolean' }
  for (const name in numbers) options[name] = { type: 'string', default: String(numbers[name]) }
  const { values } = readCommandLine({ usage, options })
  const read = { ...numbers }
  for (const name in read) {
    if (!/^\d+(?:\.\d+)?$/.test(String(values[name]))) fail(`--${name} must be a number: received "${values[name]}"`)
    read[name] = Number(values[name])
  }
  return { numbers: read, flags: new Set(flags.filter((flag) => values[flag])) }
}

/** Returns the message of whatever was thrown. */
export function messageOf(error: unknown) {
  return error instanceof Error ? error.message : String(error)
}

/** The code of an error of the system, such as `ENOENT`. */
export function codeOf(error: unknown) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Returns the code of a failed connection, or its message: the cause of the error that `fetch` throws. */
export function reasonOf(error: unknown) {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return codeOf(cause) ?? messageOf(cause)
}

/** Returns undefined for the error of a file that does not exist. Throws any other. */
export function ignoreAbsence(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
  return undefined
}
