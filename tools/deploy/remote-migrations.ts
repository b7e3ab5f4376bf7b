// The migrations as they are sent to D1. `wrangler d1 migrations apply --remote` sends a whole file to D1's query API, which
// splits it at semicolons and may cut a trigger that has several lines: https://github.com/cloudflare/workers-sdk/issues/15690
// and /issues/15314, /issues/14991. On one line, with BEGIN in capitals, it stays whole.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Strings and names in quotes, comments, and runs of white space. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|\s+/g

/**
 * Writes a copy of each migration of `from` to the folder `to`, each statement on a line of its own. Names stay, since D1 knows
 * by them which migrations it has.
 */
export async function writeRemoteMigrations(from: string, to: string) {
  const { unstable_splitSqlQuery: split } = await import('wrangler')
  const names = readdirSync(from).filter((file) => file.endsWith('.sql'))
  mkdirSync(to, { recursive: true })
  for (const left of readdirSync(to).filter((name) => !names.includes(name))) rmSync(path.join(to, left))
  for (const name of names) {
    const statements = split(withoutLines(readFileSync(path.join(from, name), 'utf8')))
    writeFileSync(path.join(to, name), statements.map((statement) => `${statement.replace(/;$/, '')};\n`).join(''))
  }
}

/** Returns SQL without comments and line breaks; what is in quotes stays as it is. */
export function withoutLines(sql: string) {
  return sql.replace(TOKENS, (token) => (/^['"`]/.test(token) ? token : ' ')).trim()
}
