import { SETTINGS, startOptions } from '../../src/settings.ts'
import { tableOf, withTable } from './document-tables.ts'

/** Returns the tables of docs/operating.md that are generated from src/settings.ts. */
function settingsTables(): { options: string; settings: string } {
  const options = startOptions().map(({ name, value, default: byDefault, text }) => [
    `\`--${name}${value === undefined ? '' : ` ${value.replaceAll('|', '\\|')}`}\``,
    byDefault,
    text,
  ])
  const settings = Object.entries(SETTINGS).map(([name, { kind, default: byDefault, text }]) => [
    `\`${name}\``,
    kind,
    byDefault,
    text,
  ])
  return {
    options: tableOf(['option', 'default', ''], options),
    settings: tableOf(['setting', 'kind', 'default', ''], [...settings, ...BINDINGS]),
  }
}

/** Bindings of wrangler.toml, which are no settings. */
const BINDINGS = [
  [
    '`DB`, `FILES`, `RATE_LIMITER`, `ASSETS`',
    'bindings',
    '',
    'a D1 database, an R2 bucket, the Durable Object of the rate limit, the static assets; `npm start` binds its disk in place of `FILES`',
  ],
  ['`DB_1` to `DB_31`', 'bindings', 'none', 'further D1 databases, [the shards](scaling.md)'],
]

/** Replaces the tables of settings in a document. */
export function withSettingsTables(document: string): string {
  return Object.values(settingsTables()).reduce(withTable, document)
}
