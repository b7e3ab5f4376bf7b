import { SETTINGS, startOptions } from '../../src/settings.ts'

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

/** Replaces the tables of a document that start with the same lines. */
export function withSettingsTables(document: string): string {
  return Object.values(settingsTables()).reduce((text, table) => {
    const [head = ''] = table.split('\n')
    const old = new RegExp(`${head.replace(/[|\\]/g, '\\$&')}\n(?:\\|.*\n)+`)
    if (!old.test(text)) throw new Error(`the document has no table that begins with ${head}`)
    return text.replace(old, () => `${table}\n`)
  }, document)
}

function tableOf(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
