import { CLIENT_LIMITS_PER_HOUR } from '../../limits.ts'
import { UnreadableSetting } from './unreadable-setting.ts'

/** Names of the operator's limits per client (D40). */
export const CLIENT_LIMITS = [
  'uploads',
  'upload_mib',
  'megapixels',
  'covers',
  'galleries',
  'finalizes',
  'changes',
  'download_files',
  'unknown_tokens',
  'operator_keys',
  'idempotency_keys',
] as const

/** One of CLIENT_LIMITS. */
export type ClientLimit = (typeof CLIENT_LIMITS)[number]

/** The hourly amount of each limit; a missing one is unlimited. */
export type ClientLimits = Partial<Record<ClientLimit, number>>

/** The name until other changes than renames were counted: settings that have it stay valid. */
const OLDER_NAMES: Readonly<Record<string, ClientLimit>> = { renames: 'changes' }

const ENTRY = /^([a-z_]+)=(off|[1-9][0-9]{0,8})$/

/**
 * Parses CLIENT_LIMITS: the limits that differ from CLIENT_LIMITS_PER_HOUR, as `uploads=5000,covers=off`, or `off` for none at
 * all. Throws an `UnreadableSetting` that quotes what is wrong.
 */
export function parseClientLimits(setting: string): ClientLimits {
  return parseLimits('CLIENT_LIMITS', setting, CLIENT_LIMITS_PER_HOUR)
}

/** Parses UPLOAD_KEY_LIMITS, in the same way: the limits of one upload key that differ from those of a client. */
export function parseKeyLimits(setting: string, ofClients = ''): ClientLimits {
  return parseLimits('UPLOAD_KEY_LIMITS', setting, parseClientLimits(ofClients))
}

function parseLimits(settingName: string, setting: string, otherwise: ClientLimits): ClientLimits {
  if (setting.trim() === 'off') return {}
  const limits: ClientLimits = { ...otherwise }
  for (const entry of setting.split(',').map((text) => text.trim())) {
    if (entry === '') continue
    const [, name, value] = ENTRY.exec(entry) ?? []
    const limit = CLIENT_LIMITS.find((known) => known === name || OLDER_NAMES[name ?? ''] === known)
    if (limit === undefined) {
      throw new UnreadableSetting(
        `${settingName} must be "off" or a list of ${CLIENT_LIMITS.join(', ')} such as "uploads=5000,covers=off": received "${entry}"`,
      )
    }
    if (value === 'off') delete limits[limit]
    else limits[limit] = Number(value)
  }
  return limits
}
