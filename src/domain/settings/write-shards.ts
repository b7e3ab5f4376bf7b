import { SHARDS_MAX } from '../../limits.ts'
import { UnreadableSetting } from './unreadable-setting.ts'

/**
 * Parses the setting WRITE_SHARDS: the numbers of the shards that new galleries and standalone images go to, as `0,2`. Throws an
 * `UnreadableSetting` that quotes what is wrong.
 */
export function parseWriteShards(setting: string): number[] {
  const entries = setting.split(',').map((text) => text.trim())
  const wrong = entries.find((entry) => !/^(?:0|[1-9][0-9]?)$/.test(entry) || Number(entry) >= SHARDS_MAX)
  if (wrong === undefined) return entries.map(Number)
  throw new UnreadableSetting(
    `WRITE_SHARDS must be numbers of shards from 0 to ${SHARDS_MAX - 1} with commas, such as "0,2": received "${wrong}"`,
  )
}
