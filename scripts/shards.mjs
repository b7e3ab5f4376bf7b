// The databases of a service: `DB`, which is shard 0, and `DB_1`, `DB_2` and so on (docs/scaling.md). There are never fewer than
// there were: what is on the last ones would not be found any more.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from './command-line.mjs'
import { writeDurably } from './durable-files.mjs'

/** As src/limits.ts has it: what runs before the Node.js that knows TypeScript asks for it here. */
const SHARDS_MAX = 32

/**
 * The number of shards that an option asks for; undefined where it is left out. Throws a sentence.
 * @param {string | undefined} text
 */
export function parseShards(text) {
  if (text === undefined) return undefined
  const count = Number(text)
  if (/^[1-9][0-9]?$/.test(text) && count <= SHARDS_MAX) return count
  throw new Error(`--shards must be a whole number from 1 to ${SHARDS_MAX}: received "${text}"`)
}

/**
 * The number of shards from now on. Throws a sentence where it would be less than there are.
 * @param {number | undefined} wanted
 * @param {number} present
 */
export function shardsFromNowOn(wanted, present) {
  if (wanted === undefined || wanted >= present) return wanted ?? present
  throw new Error(
    `--shards must be at least ${present}, as many as there are: what is on the last ones would not be found any more. --write-shards says which take new pictures`,
  )
}

/**
 * Throws a sentence where the setting WRITE_SHARDS names a shard that there is not.
 * @param {string | undefined} setting
 * @param {number} shards
 */
export function checkWriteShards(setting, shards) {
  const missing = setting?.split(',').find((number) => Number(number) >= shards)
  if (missing === undefined) return
  throw new Error(
    `--write-shards must name shards from 0 to ${shards - 1}, as many as there are: received "${missing.trim()}"`,
  )
}

/** The binding of a shard. */
export function bindingOf(/** @type {number} */ shard) {
  return shard === 0 ? 'DB' : `DB_${shard}`
}

/** The numbers of the shards after the first. */
export function furtherShards(/** @type {number} */ count) {
  return Array.from({ length: count - 1 }, (_, at) => at + 1)
}

/**
 * The number of shards that a data folder has: 1 where nothing says so.
 * @param {string} data
 */
export function readShards(data) {
  try {
    return Number(JSON.parse(readFileSync(fileOf(data), 'utf8')).shards)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 1
    throw error
  }
}

/**
 * Keeps the number of shards in a data folder.
 * @param {string} data
 * @param {number} shards
 */
export function keepShards(data, shards) {
  if (readShards(data) === shards) return
  writeDurably(fileOf(data), `${JSON.stringify({ shards })}\n`)
}

function fileOf(/** @type {string} */ data) {
  return path.join(data, 'shards.json')
}
