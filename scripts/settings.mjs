// Validates settings of the Worker with a format of their own, before it is started or deployed. Otherwise only its log
// would report invalid ones.
import { messageOf } from './command-line.mjs'

/**
 * Throws one sentence about the first of these variables that the Worker could not read. It has to be called in a Node.js that
 * knows TypeScript.
 * @param {Readonly<Record<string, unknown>>} variables
 */
export async function checkSettings(variables) {
  const { parseClientLimits } = await import('../src/domain/client-limits.ts')
  const { checkOperatorKeys } = await import('../src/domain/operator-keys.ts')
  const { parseLogShare } = await import('../src/domain/log-share.ts')
  const { parseWebhookUrl } = await import('../src/domain/webhook-url.ts')
  const { parseWriteShards } = await import('../src/domain/write-shards.ts')
  const { readS3Location } = await import('../src/storage/files/s3-settings.ts')
  const { parseSiteSettings } = await import('../src/domain/site-settings.ts')
  /** @type {Record<string, (setting: string) => unknown>} */
  const parsers = {
    CLIENT_LIMITS: parseClientLimits,
    LOG_REQUESTS: parseLogShare,
    OPERATOR_KEY: checkOperatorKeys,
    REPORT_WEBHOOK: parseWebhookUrl,
    WRITE_SHARDS: parseWriteShards,
    OPERATOR_NAME: (setting) => parseSiteSettings({ OPERATOR_NAME: setting }),
    TAGLINE: (setting) => parseSiteSettings({ TAGLINE: setting }),
    SITE_LINKS: (setting) => parseSiteSettings({ SITE_LINKS: setting }),
    FILE_LINKS: (setting) => parseSiteSettings({ FILE_LINKS: setting }),
    S3_URL: () => readS3Location(textsOf(variables)),
  }
  for (const [name, parse] of Object.entries(parsers)) {
    const setting = variables[name]
    if (setting === undefined) continue
    if (typeof setting !== 'string') throw new Error(`${name} must be a text`)
    parse(setting)
  }
}

/** @returns {Record<string, string>} those of these variables that are texts */
function textsOf(/** @type {Readonly<Record<string, unknown>>} */ variables) {
  const entries = Object.entries(variables)
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

/**
 * The same for an option of a command, with its name before the message. A Node.js without TypeScript support skips the
 * check, but the one that serves does not.
 * @param {string} option
 * @param {string} name
 * @param {string | undefined} setting
 */
export async function checkOption(option, name, setting) {
  if (setting === undefined || !process.features.typescript) return
  try {
    await checkSettings({ [name]: setting })
  } catch (error) {
    throw new Error(`${option}: ${messageOf(error)}`)
  }
}
