// The keys by which the operators of a service on this machine show who they are, in a file of the data folder that its owner
// alone can read. The first start makes one, at random; further ones are lines of their own, with a name: `anna:<key>`.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from './command-line.ts'
import { writeDurably } from './durable-files.ts'

// As src/domain/settings/operator-keys.ts reads it. A key of this file is long enough that nobody guesses it.
const LINE = /^(?:([A-Za-z][A-Za-z0-9_-]{0,31}):)?([A-Za-z0-9_+/=.-]{32,})$/
const NAMELESS = 'operator'

/**
 * Returns the keys of this data folder as the setting OPERATOR_KEY takes them. Makes one where there is none yet; this process must
 * have taken the folder.
 */
export function ensureOperatorKeys(data: string) {
  // In hex: a command line takes what begins with "-" for an option.
  if (isWithoutKey(data)) writeDurably(fileOf(data), `${randomBytes(32).toString('hex')}\n`, 0o600)
  return readKeys(data)
    .map(({ name, key }) => `${name}:${key}`)
    .join(',')
}

/**
 * The key of this data folder that has this name, or the first. Throws when there is none that can be read; what it holds is
 * never in the message.
 */
export function readOperatorKey(data: string, name?: string) {
  const keys = readKeys(data)
  const found = name === undefined ? keys[0] : keys.find((one) => one.name === name)
  if (found) return found.key
  throw new Error(
    `${fileOf(data)} holds no key of "${name}": it has those of ${keys.map((one) => one.name).join(', ')}`,
  )
}

/** Removes the name before a key, if there is one. */
export function withoutName(key: string) {
  return key.replace(/^[A-Za-z][A-Za-z0-9_-]{0,31}:(?=.)/, '')
}

function readKeys(data: string) {
  const lines = readFileSync(fileOf(data), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length === 0) throw new Error(`${fileOf(data)} holds no key: the next start of the service makes one`)
  return lines.map((line, at) => {
    const [, name = NAMELESS, key] = LINE.exec(line) ?? []
    if (key !== undefined) return { name, key }
    throw new Error(
      `${fileOf(data)} holds no key in line ${at + 1}: it must be 32 characters or more, or name:key, or be removed`,
    )
  })
}

/**
 * Whether a key is to be made: there is no file, or one of nothing but white space and zero bytes. A power cut during the first start
 * of an older version left such files. Nobody can know a key of theirs.
 */
function isWithoutKey(data: string) {
  try {
    // File systems fill what was not written with zero bytes.
    return /^[\s\0]*$/.test(readFileSync(fileOf(data), 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true
    throw error
  }
}

function fileOf(data: string) {
  return path.join(data, 'operator.key')
}
