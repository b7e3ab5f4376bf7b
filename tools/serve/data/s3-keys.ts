// The keys of an S3 account, from the environment or a file: never from an argument, which every user of a machine can read.
import { readFileSync, statSync } from 'node:fs'
import { messageOf } from '../../shared/command-line.ts'

/** The variables of the environment that every tool of S3 knows. */
const NAMES = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const

/** Users other than the owner of a file. */
const OTHERS = 0o077

/** Keys by the names of their variables. */
type S3Keys = Partial<Record<(typeof NAMES)[number], string>>

/**
 * Returns the keys in a file of lines NAME=VALUE, or those of the environment where no file is named. Throws a sentence, which quotes
 * nothing of the file.
 */
export function readS3Keys(file: string | undefined): S3Keys {
  if (file === undefined) return keysAmong(Object.entries(process.env))
  const text = readPrivately(file)
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'))
  const entries = lines.map((line, at): [string, string | undefined] => {
    const [, name, value] =
      /^\s*(?:export\s+)?(\w+)\s*=\s*(?:"([^"]*)"|(\S*))\s*$/.exec(line)?.filter((part) => part !== undefined) ?? []
    if (name === undefined) throw new Error(`${file} has no NAME=VALUE in line ${at + 1}`)
    return [name, value]
  })
  const keys = keysAmong(entries)
  if (keys.AWS_ACCESS_KEY_ID && keys.AWS_SECRET_ACCESS_KEY) return keys
  throw new Error(`${file} must have lines AWS_ACCESS_KEY_ID=… and AWS_SECRET_ACCESS_KEY=…`)
}

/** Removes them from the environment of this process, which those that it starts inherit. */
export function forgetS3Keys() {
  for (const name of NAMES) delete process.env[name]
}

function keysAmong(entries: [string, string | undefined][]) {
  const keys: S3Keys = {}
  for (const [name, value] of entries) {
    const known = NAMES.find((one) => one === name)
    if (known && value) keys[known] = value
  }
  return keys
}

function readPrivately(file: string) {
  try {
    // Windows has no such modes.
    if (process.platform !== 'win32' && (statSync(file).mode & OTHERS) !== 0) {
      throw new Error(`others can read it: chmod 600 ${file}`)
    }
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`the keys of S3 cannot be read from ${file}: ${messageOf(error)}`)
  }
}
