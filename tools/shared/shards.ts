// The databases of a service: `DB`, which is shard 0, and `DB_1`, `DB_2` and so on (docs/scaling.md). There are never fewer than
// there were: what is on the last ones would not be found any more.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { codeOf } from './command-line.ts'
import { writeDurably } from './durable-files.ts'
import { parseObject } from './json.ts'

/** As src/limits.ts has it: what runs before the Node.js that knows TypeScript asks for it here. */
export const SHARDS_MAX = 32

/** The number of shards that an option asks for; undefined where it is left out. Throws a sentence. */
export function parseShards(text: string | undefined) {
  if (text === undefined) return undefined
  const count = Number(text)
  if (/^[1-9][0-9]?$/.test(text) && count <= SHARDS_MAX) return count
  throw new Error(`--shards must be a whole number from 1 to ${SHARDS_MAX}: received "${text}"`)
}

/** The number of shards from now on. Throws a sentence where it would be less than there are. */
export function shardsFromNowOn(wanted: number | undefined, present: number) {
  if (wanted === undefined || wanted >= present) return wanted ?? present
  throw new Error(
    `--shards must be at least ${present}, as many as there are: what is on the last ones would not be found any more. --write-shards says which take new pictures`,
  )
}

/** Throws a sentence where the setting WRITE_SHARDS names a shard that there is not. */
export function checkWriteShards(setting: string | undefined, shards: number) {
  const missing = setting?.split(',').find((number) => Number(number) >= shards)
  if (missing === undefined) return
  throw new Error(
    `--write-shards must name shards from 0 to ${shards - 1}, as many as there are: received "${missing.trim()}"`,
  )
}

/** The binding of a shard. */
export function bindingOf(shard: number) {
  return shard === 0 ? 'DB' : `DB_${shard}`
}

/** The numbers of the shards after the first. */
export function furtherShards(count: number) {
  return Array.from({ length: count - 1 }, (_, at) => at + 1)
}

/** Says which layout a data folder has, and how many shards. */
const LAYOUT = 'layout.json'
/** The layout with files in a folder of their own. Before, they were in Miniflare's R2, and OLD held the number of shards. */
const CURRENT = 2
const OLD = 'shards.json'
/** The files of a data folder that say so. */
export const LAYOUT_FILES = [LAYOUT, OLD]
/**
 * Stops versions that do not know the layout: they read OLD at the start, print what they cannot parse, and end. A longer text would
 * be cut off.
 */
const STOPS_OLDER_VERSIONS = 'newer Tintype needed'

/**
 * Returns the number of shards that a data folder has: 1 where nothing says so. Throws a sentence where a newer version has written
 * the folder.
 */
export function readShards(data: string) {
  const text = readIfThere(path.join(data, LAYOUT)) ?? readIfThere(path.join(data, OLD)) ?? '{"shards":1}'
  const { layout = CURRENT, shards } = parseObject(text)
  if (layout === CURRENT) return Number(shards)
  throw new Error(`${data} has the layout ${layout}, of a newer version: this one knows those up to ${CURRENT}`)
}

/** Keeps the number of shards in a data folder, with its layout. */
export function keepShards(data: string, shards: number) {
  const text = `${JSON.stringify({ layout: CURRENT, shards })}\n`
  if (readIfThere(path.join(data, LAYOUT)) !== text) writeDurably(path.join(data, LAYOUT), text)
  const old = path.join(data, OLD)
  if (readIfThere(old) !== STOPS_OLDER_VERSIONS) writeDurably(old, STOPS_OLDER_VERSIONS)
}

function readIfThere(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
