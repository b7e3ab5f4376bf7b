import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BROWSER_TARGET } from '../../../tools/build/browser-target.ts'

/** A feature's first version in a browser, or why it has none (the schema of @mdn/browser-compat-data). */
interface Support {
  version_added?: string | false
  version_removed?: string | boolean
  flags?: unknown
  prefix?: string
  alternative_name?: string
  partial_implementation?: boolean
}

/** A node of the tables: a feature, and the features below it. */
export interface Feature {
  __compat?: { support: Record<string, Support | Support[] | undefined> }
  [name: string]: Feature | Feature['__compat']
}

/** The tables, by their chapters. */
export interface Tables {
  api: Feature
  css: Feature
  html: Feature
  javascript: Feature
}

/** The browsers of the tables, and their oldest supported versions. */
const OLDEST: Readonly<Record<string, string>> = {
  chrome: BROWSER_TARGET.chrome,
  chrome_android: BROWSER_TARGET.chrome,
  firefox: BROWSER_TARGET.firefox,
  firefox_android: BROWSER_TARGET.firefox,
  safari: BROWSER_TARGET.safari,
  safari_ios: BROWSER_TARGET.safari,
}

/** Reads the tables of @mdn/browser-compat-data. They have 20 MB: read them once. */
export function readTables(): Tables {
  return JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('@mdn/browser-compat-data')), 'utf8'))
}

/** Returns the feature at a path of names, or undefined if the tables have none. */
export function featureAt(tables: Feature, ...names: readonly string[]): Feature | undefined {
  let feature: Feature | undefined = tables
  for (const name of names) {
    if (!feature || !Object.hasOwn(feature, name)) return undefined
    const below: Feature | Feature['__compat'] = feature[name]
    feature = below && !('support' in below) ? (below as Feature) : undefined
  }
  return feature
}

/** Returns the browsers of the target that lack a feature. A feature without a row of its own is in none of them. */
export function lacking(feature: Feature | undefined): string[] {
  const support = feature?.__compat?.support
  if (!support) return []
  return Object.entries(OLDEST).flatMap(([browser, version]) =>
    [support[browser] ?? []].flat().some((row) => isSupported(row, version)) ? [] : [browser],
  )
}

function isSupported(row: Support, version: string): boolean {
  const { version_added: added, version_removed: removed } = row
  if (typeof added !== 'string' || row.flags || row.prefix || row.alternative_name || row.partial_implementation) {
    return false
  }
  return isAtMost(added, version) && !(removed === true || (typeof removed === 'string' && isAtMost(removed, version)))
}

/** Whether one version, such as `≤37`, `17.1` or `preview`, is at most another one. */
function isAtMost(one: string, other: string): boolean {
  if (one === 'preview') return false
  const [a, b] = [one, other].map((version) => version.replace('≤', '').split('.').map(Number))
  const major = (a?.[0] ?? 0) - (b?.[0] ?? 0)
  return major < 0 || (major === 0 && (a?.[1] ?? 0) <= (b?.[1] ?? 0))
}
