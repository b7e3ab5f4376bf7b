import { parseClientLimits, parseKeyLimits } from './domain/settings/client-limits.ts'
import { parseExpiryRules } from './domain/settings/expiry-rules.ts'
import { parseLogShare } from './domain/settings/log-share.ts'
import { checkOperatorKeys } from './domain/settings/operator-keys.ts'
import { parsePreviews } from './domain/settings/previews.ts'
import { parseSiteSettings } from './domain/settings/site-settings.ts'
import { parseStorageMax } from './domain/settings/storage-max.ts'
import { parseStripMetadata } from './domain/settings/strip-metadata.ts'
import { parseReadOnly } from './domain/settings/switch.ts'
import { parseUploadKeys } from './domain/settings/upload-keys.ts'
import { parseWebhookSecret } from './domain/settings/webhook-secret.ts'
import { parseWebhookUrl } from './domain/settings/webhook-url.ts'
import { parseWriteShards } from './domain/settings/write-shards.ts'
import { parseHumanFails, parseHumanScope } from './domain/uploads/human-pass.ts'
import { parseHookFails, parseHookTimeout } from './domain/uploads/upload-hook.ts'
import { UPLOAD_HOOK_MAX_S } from './limits.ts'
import * as routes from './routes.ts'
import { readS3Location } from './storage/files/s3-settings.ts'

/** Settings as they are written, by their names. */
export type Written = Readonly<Record<string, string>>

interface SettingRow {
  kind: 'variable' | 'secret' | 'variable or secret'
  /** In Markdown: a noun phrase. */
  text: string
  /** The value that holds where the setting is absent, in words. */
  default: string
  /** Throws a sentence where the Worker could not read the setting; `all` are those that are written beside it. */
  parse?: (setting: string, all: Written) => unknown
  /** Another setting, without which this one cannot work. */
  needs?: string
}

/**
 * The settings of the Worker, as environment variables and secrets. Types of the environment, options of `npm start`, checks of
 * `npm run deploy` and the table of docs/operating.md are made of them.
 */
export const SETTINGS = {
  // `workers.dev` matches the host under it that was called: Cloudflare sends no other Worker's requests here (D4).
  PUBLIC_DOMAINS: {
    kind: 'variable',
    text: 'the public domains, comma-separated; requests to unknown hosts get links on the first',
    default: '`localhost`',
  },
  // A name that begins with `t` is a bad choice: programs make the address of an original by writing `//img` for `//t` (D7).
  SINGLE_HOST_DOMAINS: {
    kind: 'variable',
    text: 'those of the public domains that have no subdomains, and use one host for everything; `*.workers.dev` need not be named',
    default: 'none',
  },
  SECURITY_CONTACT: {
    kind: 'variable',
    text: `the contacts in \`${routes.securityTxt}\`: mail or web addresses, comma-separated`,
    default: '`security@` the domain',
  },
  OPERATOR_NAME: {
    kind: 'variable',
    text: 'the name of the operator, at the foot of every page',
    default: 'none',
    parse: (setting) => parseSiteSettings({ OPERATOR_NAME: setting }),
  },
  TAGLINE: {
    kind: 'variable',
    text: 'the line below the heading of the front page, the same in every language',
    default: 'built in',
    parse: (setting) => parseSiteSettings({ TAGLINE: setting }),
  },
  SITE_LINKS: {
    kind: 'variable',
    text: 'links at the foot of every page: any of `terms`, `privacy`, `imprint` and `contact`, as `terms=https://…,contact=mailto:…`',
    default: 'none',
    parse: (setting) => parseSiteSettings({ SITE_LINKS: setting }),
  },
  FILE_LINKS: {
    kind: 'variable',
    text: '`off`: pages do not show the addresses of files (a convenience: programs compute them from thumbnails)',
    default: '`on`',
    parse: (setting) => parseSiteSettings({ FILE_LINKS: setting }),
  },
  PREVIEWS: {
    kind: 'variable',
    text: '`off`: no previews are made of new images; their pages show the original',
    default: '`on`',
    parse: parsePreviews,
  },
  STRIP_METADATA: {
    kind: 'variable',
    text: '`always`: [metadata is removed](#every-upload) from every upload, also without `optimize_for_web`',
    default: '`off`',
    parse: parseStripMetadata,
  },
  UPLOAD_NOTICE: {
    kind: 'variable',
    text: '[a text](#every-upload) above the form of the upload page, the same in every language',
    default: 'none',
    parse: (setting) => parseSiteSettings({ UPLOAD_NOTICE: setting }),
  },
  STORAGE_MAX: {
    kind: 'variable',
    text: 'uploads are [refused](errors.md#storage_full) with 507 once all files [have this many bytes](#every-upload), as `500 GB`',
    default: 'none',
    parse: parseStorageMax,
  },
  UPLOAD_KEYS: {
    kind: 'variable or secret',
    text: '[who may upload](#who-may-upload): `name:digest`, separated by commas or spaces',
    default: 'everybody',
    parse: parseUploadKeys,
  },
  MAX_EXPIRY: {
    kind: 'variable',
    text: 'the longest time that new pictures and galleries [stay](#expiry), such as `30d` (`s`, `m`, `h`, `d` or `w`), also where the client does not ask for one',
    default: 'none',
    parse: (setting, { DEFAULT_EXPIRY = '' }) => parseExpiryRules({ MAX_EXPIRY: setting, DEFAULT_EXPIRY }),
  },
  DEFAULT_EXPIRY: {
    kind: 'variable',
    text: 'how long they stay where the client does not ask for a time',
    default: '`MAX_EXPIRY`',
    parse: (setting) => parseExpiryRules({ DEFAULT_EXPIRY: setting }),
  },
  CLIENT_LIMITS: {
    kind: 'variable',
    text: '[limits of one client](#limits-of-one-client) that differ from the built-in ones, as `uploads=5000,covers=off`, or `off`',
    default: 'built in',
    parse: parseClientLimits,
  },
  UPLOAD_KEY_LIMITS: {
    kind: 'variable',
    text: '[limits of one upload key](#limits-of-one-upload-key) that differ from those of a client, as `uploads=50000`, or `off`',
    default: '`CLIENT_LIMITS`',
    parse: (setting) => parseKeyLimits(setting),
  },
  LOG_REQUESTS: {
    kind: 'variable',
    text: 'the share of requests that write [a line of the log](#logs), from 0 (none) to 1 (all)',
    default: '0',
    parse: parseLogShare,
  },
  REPORT_WEBHOOK: {
    kind: 'variable or secret',
    text: 'the `https://` or `http://` address that new reports are [posted](#reports-and-moderation) to',
    default: 'none',
    parse: (setting) => parseWebhookUrl('REPORT_WEBHOOK', setting),
  },
  UPLOAD_WEBHOOK: {
    kind: 'variable or secret',
    text: 'the `https://` or `http://` address that stored uploads are [announced](#webhooks) to',
    default: 'none',
    parse: (setting) => parseWebhookUrl('UPLOAD_WEBHOOK', setting),
  },
  UPLOAD_HOOK: {
    kind: 'variable or secret',
    text: 'the `https://` or `http://` address that [allows or denies](#the-upload-hook) every upload before it is stored',
    default: 'none',
    parse: (setting) => parseWebhookUrl('UPLOAD_HOOK', setting),
  },
  UPLOAD_HOOK_TIMEOUT: {
    kind: 'variable',
    text: `the seconds that the \`UPLOAD_HOOK\` has to respond, 1 to ${UPLOAD_HOOK_MAX_S}`,
    default: '5',
    parse: parseHookTimeout,
  },
  UPLOAD_HOOK_FAILS: {
    kind: 'variable',
    text: '`open`: uploads are accepted while the `UPLOAD_HOOK` fails; `closed`: they get 503',
    default: '`closed`',
    parse: parseHookFails,
  },
  TURNSTILE_SITE_KEY: {
    kind: 'variable',
    text: 'the site key of Cloudflare Turnstile: visitors of the upload page [confirm that they are human](#humans)',
    default: 'none',
    parse: String,
    needs: 'TURNSTILE_SECRET',
  },
  TURNSTILE_SECRET: {
    kind: 'secret',
    text: 'the secret key of Turnstile',
    default: 'none',
    parse: String,
    needs: 'TURNSTILE_SITE_KEY',
  },
  TURNSTILE_FOR: {
    kind: 'variable',
    text: '`page`: uploads of the upload page need a human; `all`: those of programs too, which then cannot upload',
    default: '`page`',
    parse: parseHumanScope,
  },
  TURNSTILE_FAILS: {
    kind: 'variable',
    text: '`open`: everybody passes while Turnstile does not respond; `closed`: nobody does',
    default: '`closed`',
    parse: parseHumanFails,
  },
  WEBHOOK_SECRET: {
    kind: 'secret',
    text: 'the secret that [signs](#webhooks) all requests to addresses of yours: `whsec_` and 24 to 64 bytes in base64',
    default: 'no signature',
    parse: parseWebhookSecret,
  },
  READ_ONLY: {
    kind: 'variable or secret',
    text: '`on`: uploads, deletes and all other changes get 503 with `Retry-After`, and maintenance pauses, as [a move](self-hosting.md#moving-to-cloudflare) needs',
    default: '`off`',
    parse: parseReadOnly,
  },
  WRITE_SHARDS: {
    kind: 'variable',
    text: 'the [shards](scaling.md#shards) that accept new images and galleries, as `0,2`',
    default: 'all',
    parse: parseWriteShards,
  },
  OPERATOR_KEY: {
    kind: 'secret',
    text: 'the keys of operators for `npm run moderate`: `name:key`, separated by commas or spaces, or one bare key. Each has at least 32 characters',
    default: 'no moderation',
    parse: checkOperatorKeys,
  },
  PURGE_ZONES: {
    kind: 'variable',
    text: 'the ids of the zones whose caches are [purged](deploying.md#purging-deleted-pictures-everywhere): one for all domains, or `domain=id`, comma-separated',
    default: 'none',
  },
  PURGE_TOKEN: {
    kind: 'secret',
    text: 'a token of the Cloudflare API that may purge the caches of `PURGE_ZONES`',
    default: 'no purge',
  },
  PURGE_RATE: {
    kind: 'variable',
    text: 'the purges by tag that the plan of the account allows in a minute',
    default: '5',
  },
  S3_URL: {
    kind: 'variable',
    text: '`s3://bucket/folder`: [files in S3](self-hosting.md#files-in-s3) in place of R2',
    default: 'R2',
    parse: (_, all) => readS3Location(all),
  },
  S3_ENDPOINT: {
    kind: 'variable',
    text: 'the address of the S3 service',
    default: "Amazon's of the region",
  },
  S3_REGION: {
    kind: 'variable',
    text: 'the region of the bucket',
    default: 'us-east-1',
  },
  S3_ADDRESSING: {
    kind: 'variable',
    text: '`path` or `virtual-host`: whether the name of the bucket is in the path or in the host name',
    default: '`path`; Amazon: `virtual-host`',
  },
  S3_CONDITIONAL_PUT: {
    kind: 'variable',
    text: '`off` for an S3 service that ignores `If-None-Match: *`; `npm start` detects it',
    default: '`on`',
  },
  AWS_ACCESS_KEY_ID: { kind: 'secret', text: 'the id of the key of the S3 account', default: '' },
  AWS_SECRET_ACCESS_KEY: { kind: 'secret', text: 'the key of the S3 account', default: '' },
  AWS_SESSION_TOKEN: { kind: 'secret', text: 'the session of a temporary key', default: 'none' },
} as const satisfies Record<string, SettingRow>

/** The name of a setting. */
type SettingName = keyof typeof SETTINGS

/** The environment of the Worker, as far as operators set it. `wrangler.toml` sets the domains. */
export type Settings = { PUBLIC_DOMAINS: string } & { [Name in Exclude<SettingName, 'PUBLIC_DOMAINS'>]?: string }

interface OptionRow {
  /** The form of the value; absent for an option without one. */
  value?: string
  /** The setting of the Worker that the option sets: its default and text are those of the setting, unless given here. */
  setting?: SettingName
  text?: string
  default?: string
}

/** The options of `npm start`, in the order of its help and of docs/operating.md. */
export const START_OPTIONS = {
  port: { value: 'N', default: '8787', text: 'the port' },
  host: {
    value: 'ADDRESS',
    default: '127.0.0.1',
    text: 'the IPv4 address to listen on; 0.0.0.0 for all, as [a container](self-hosting.md#in-a-container) needs. Only your proxy should reach it, because it trusts the client addresses in headers',
  },
  data: {
    value: 'DIR',
    default: '`.data`',
    text: 'the folder of the database, the files and the rate limit; only one service can use it at a time',
  },
  files: {
    value: 's3://bucket/folder',
    default: 'as the data has it, at first `disk`',
    text: 'the place of the files: `disk`, which is the data folder, or [S3](self-hosting.md#files-in-s3)',
  },
  's3-endpoint': { value: 'URL', setting: 'S3_ENDPOINT' },
  's3-region': { value: 'NAME', setting: 'S3_REGION' },
  's3-addressing': { value: 'STYLE', setting: 'S3_ADDRESSING' },
  's3-keys': {
    value: 'FILE',
    default: 'the environment',
    text: '`AWS_ACCESS_KEY_ID=…` and `AWS_SECRET_ACCESS_KEY=…`, in a file of mode 600',
  },
  'files-moved': { text: 'the files were copied to where `--files` says; [once](self-hosting.md#files-in-s3)' },
  domains: { value: 'a,b,c', setting: 'PUBLIC_DOMAINS' },
  'single-host-domains': { value: 'a,b', setting: 'SINGLE_HOST_DOMAINS' },
  'min-free': {
    value: 'N',
    default: '200',
    text: 'uploads are [refused](errors.md#storage_full) with 507 while the disk of the data has less than N MB free',
  },
  'upload-keys': { value: 'LIST', setting: 'UPLOAD_KEYS' },
  'max-expiry': { value: '30d', setting: 'MAX_EXPIRY' },
  'default-expiry': { value: '7d', setting: 'DEFAULT_EXPIRY' },
  'client-limits': { value: 'LIST', setting: 'CLIENT_LIMITS' },
  'upload-key-limits': { value: 'LIST', setting: 'UPLOAD_KEY_LIMITS' },
  'log-requests': { value: 'SHARE', setting: 'LOG_REQUESTS' },
  shards: {
    value: 'N',
    default: 'as many as the data has, at first 1',
    text: 'the number of [databases](scaling.md); it is kept with the data, and never less than it was',
  },
  'read-only': { value: 'on|off', setting: 'READ_ONLY' },
  'write-shards': { value: '0,2', setting: 'WRITE_SHARDS' },
  'report-webhook': { value: 'URL', setting: 'REPORT_WEBHOOK' },
  'upload-webhook': { value: 'URL', setting: 'UPLOAD_WEBHOOK' },
  'upload-hook': { value: 'URL', setting: 'UPLOAD_HOOK' },
  'upload-hook-timeout': { value: 'N', setting: 'UPLOAD_HOOK_TIMEOUT' },
  'upload-hook-fails': { value: 'open|closed', setting: 'UPLOAD_HOOK_FAILS' },
  'turnstile-site-key': { value: 'KEY', setting: 'TURNSTILE_SITE_KEY' },
  'turnstile-for': { value: 'page|all', setting: 'TURNSTILE_FOR' },
  'turnstile-fails': { value: 'open|closed', setting: 'TURNSTILE_FAILS' },
  'operator-name': { value: 'NAME', setting: 'OPERATOR_NAME' },
  tagline: { value: 'TEXT', setting: 'TAGLINE' },
  'site-links': { value: 'LIST', setting: 'SITE_LINKS' },
  'file-links': { value: 'on|off', setting: 'FILE_LINKS' },
  previews: { value: 'on|off', setting: 'PREVIEWS' },
  'strip-metadata': { value: 'always|off', setting: 'STRIP_METADATA' },
  'upload-notice': { value: 'TEXT', setting: 'UPLOAD_NOTICE' },
  'storage-max': { value: 'SIZE', setting: 'STORAGE_MAX' },
  'security-contact': { value: 'A', setting: 'SECURITY_CONTACT' },
  'read-cache': {
    value: 'on|off',
    default: '`on`',
    text: '`off`: records, small files and pages that many readers ask for are [not kept in memory](architecture.md#hot-reads)',
  },
  'clock-offset-ms': {
    value: 'N',
    default: '0',
    text: 'milliseconds added to the clock of the service; for tests that need tomorrow',
  },
} as const satisfies Record<string, OptionRow>

/** The name of an option of `npm start`, without its hyphens. */
export type StartOption = keyof typeof START_OPTIONS

/** An option with its documentation. */
interface DescribedOption {
  name: StartOption
  value: string | undefined
  default: string
  text: string
  setting: SettingName | undefined
}

/** Returns the options of `npm start` with their texts, those of settings included. */
export function startOptions(): DescribedOption[] {
  const rows: Readonly<Record<string, OptionRow>> = START_OPTIONS
  return Object.entries(rows).flatMap(([name, { value, setting, ...own }]) => {
    if (!isStartOption(name)) return []
    const { text = '', default: byDefault = '' } = { ...(setting && SETTINGS[setting]), ...own }
    return { name, value, setting, text, default: byDefault }
  })
}

function isStartOption(name: string): name is StartOption {
  return Object.hasOwn(START_OPTIONS, name)
}

/** Whether a setting has a form of its own, which can be checked before the Worker reads it. */
export function isParsed(name: SettingName): boolean {
  return 'parse' in SETTINGS[name]
}

/** Returns the settings that need another one, which is not set. */
export function unmetNeeds(isSet: (name: string) => boolean): { name: string; needs: string }[] {
  const rows: Readonly<Record<string, SettingRow>> = SETTINGS
  return Object.entries(rows).flatMap(([name, { needs }]) => {
    return needs === undefined || !isSet(name) || isSet(needs) ? [] : { name, needs }
  })
}

/** Throws one sentence about the first of these settings that the Worker could not read. */
export function checkSettings(variables: Readonly<Record<string, unknown>>): void {
  const rows: Readonly<Record<string, SettingRow>> = SETTINGS
  const texts = Object.entries(variables).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))
  for (const [name, { parse }] of Object.entries(rows)) {
    const setting = variables[name]
    if (parse === undefined || setting === undefined) continue
    if (typeof setting !== 'string') throw new Error(`${name} must be a text`)
    parse(setting, Object.fromEntries(texts))
  }
}
