// The key by which the operator of a service on this machine shows who they are: random, in a file of the data folder that
// its owner alone can read, the same from one start to the next.
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from './command-line.mjs'

const KEY = /^[A-Za-z0-9_-]{43}$/

/**
 * The key of this data folder, made where there is none yet.
 * @param {string} data
 */
export function ensureOperatorKey(data) {
  try {
    // `wx`: of two services that start at once one makes the key.
    writeFileSync(fileOf(data), `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
  return readOperatorKey(data)
}

/**
 * The key of this data folder. Throws when there is none that can be read; what it holds is never in the message.
 * @param {string} data
 */
export function readOperatorKey(data) {
  const key = readFileSync(fileOf(data), 'utf8').trim()
  if (!KEY.test(key)) throw new Error(`${fileOf(data)} holds no key: remove it, and the next start makes a new one`)
  return key
}

function fileOf(/** @type {string} */ data) {
  return path.join(data, 'operator.key')
}
