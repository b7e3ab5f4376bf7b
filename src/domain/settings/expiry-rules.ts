import { EXPIRY_MAX_S, EXPIRY_MIN_S } from '../../limits.ts'
import { parseDuration } from '../../units.ts'
import { UnreadableSetting } from './unreadable-setting.ts'

/** The operator's rules of expiry, in seconds (D62). */
export interface ExpiryRules {
  /** The longest that a client may ask for. */
  maxS: number
  /** Where the client does not ask; undefined for content that stays. */
  defaultS: number | undefined
}

/** The settings as they are written; absent or empty is the default. */
export interface ExpiryVariables {
  MAX_EXPIRY?: string
  DEFAULT_EXPIRY?: string
}

/** Parses the settings. Throws an `UnreadableSetting` that quotes what is wrong. */
export function parseExpiryRules(variables: ExpiryVariables): ExpiryRules {
  const maxS = readDuration('MAX_EXPIRY', variables.MAX_EXPIRY)
  const defaultS = readDuration('DEFAULT_EXPIRY', variables.DEFAULT_EXPIRY)
  if (maxS !== undefined && defaultS !== undefined && defaultS > maxS) {
    throw new UnreadableSetting(
      `DEFAULT_EXPIRY must be at most MAX_EXPIRY: received "${variables.DEFAULT_EXPIRY}" and "${variables.MAX_EXPIRY}"`,
    )
  }
  return { maxS: maxS ?? EXPIRY_MAX_S, defaultS: defaultS ?? maxS }
}

function readDuration(name: string, setting: string = ''): number | undefined {
  if (setting.trim() === '') return undefined
  const seconds = parseDuration(setting.trim())
  if (seconds !== undefined && seconds >= EXPIRY_MIN_S && seconds <= EXPIRY_MAX_S) return seconds
  throw new UnreadableSetting(
    `${name} must be a number with s, m, h, d or w, from a minute to ten years, such as "30d": received "${setting}"`,
  )
}
