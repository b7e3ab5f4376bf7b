import { getTableName } from 'drizzle-orm'
import * as schema from '../../../src/storage/schema.ts'

/** Reads and writes of a call to storage: tables, each with its database, and keys of files. */
export interface Footprint {
  reads: ReadonlySet<string>
  writes: ReadonlySet<string>
}

/** In a footprint: all tables or files. */
const EVERYTHING = '*'

/** Returns whether two calls commute: neither writes what the other one reads or writes. */
export function areIndependent(one: Footprint, other: Footprint): boolean {
  return isApart(one.writes, other.writes) && isApart(one.writes, other.reads) && isApart(one.reads, other.writes)
}

function isApart(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  if (some.size === 0 || others.size === 0) return true
  return !some.has(EVERYTHING) && !others.has(EVERYTHING) && [...some].every((one) => !others.has(one))
}

/** A readable description of a call to storage. */
export interface DescribedCall {
  label: string
  footprint: Footprint
  isOfDatabase?: boolean
}

/**
 * Returns the effective footprint of a call to a database: one that changed no row is a read. It commutes with other
 * reads there, which is all that a reduction needs.
 */
export function footprintAfter({ reads, writes }: Footprint, result: unknown): Footprint {
  return changedNothing(result) ? { reads: new Set([...reads, ...writes]), writes: new Set() } : { reads, writes }
}

function changedNothing(result: unknown): boolean {
  // A batch has a list of results. The rows of a statement are a list of lists.
  return Array.isArray(result) ? result.every((one) => changesOf(one) === 0) : changesOf(result) === 0
}

function changesOf(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('meta' in result)) return undefined
  const { meta } = result
  return typeof meta === 'object' && meta !== null && 'changes' in meta ? meta.changes : undefined
}

/**
 * Triggers of this table write to these as well (migrations/0011_moderation.sql, migrations/0022_gallery_changes.sql). Left out is
 * `stored_bytes`, to which they only add: additions commute, and no operation reads it.
 */
const TRIGGERED: Record<string, readonly string[]> = {
  images: ['galleries', 'gallery_marks', 'gallery_order_marks'],
  galleries: ['guest_links'],
}
const TABLE_NAMES = Object.values(schema).map((table) => getTableName(table))
/** No column and no keyword of SQL has the name of a table. */
const TABLES = new RegExp(`\\b(?:${TABLE_NAMES.join('|')})\\b`, 'g')
const WRITTEN = /^\s*(?:insert into|update|delete from) "(\w+)"/i

/** Describes statements of one batch. Their footprint consists of whole tables. */
export function describeQueries(database: string, queries: readonly string[]): DescribedCall {
  const reads = new Set<string>()
  const writes = new Set<string>()
  for (const query of queries) {
    for (const [table] of query.matchAll(TABLES)) reads.add(table)
    const written = WRITTEN.exec(query)?.[1]
    if (written === undefined && !/^\s*select/i.test(query)) throw new Error(`neither a read nor a write: ${query}`)
    for (const table of written === undefined ? [] : [written, ...(TRIGGERED[written] ?? [])]) writes.add(table)
  }
  const label = writes.size > 0 ? `writes ${listOf(writes)}` : `reads ${listOf(reads)}`
  const inDatabase = (tables: ReadonlySet<string>) => new Set([...tables].map((table) => `${database} ${table}`))
  return {
    label: database === 'DB' ? label : `${label} on ${database}`,
    footprint: { reads: inDatabase(reads), writes: inDatabase(writes) },
    isOfDatabase: true,
  }
}

/** The id in a key, and the start of the names of one order. Both differ in each order. */
const OF_ONE_ORDER = /\/\d+\/\d+_x\d+-/

/** Describes a call to files. The description of a key is equal in all orders. */
export function describeFileCall(name: string, args: readonly unknown[]): DescribedCall {
  const keys = [args[0]].flat().map((key) => String(key).replace(OF_ONE_ORDER, '/'))
  const isWrite = name === 'put' || name === 'delete'
  if (!isWrite && name !== 'get' && name !== 'head') return { label: `files.${name}`, footprint: everything() }
  const [touched, others] = [new Set(keys), new Set<string>()]
  return {
    label: `files.${name} ${keys.join(', ')}`,
    footprint: isWrite ? { reads: others, writes: touched } : { reads: touched, writes: others },
  }
}

/** Returns the footprint of a call that must not be reordered. */
export function everything(): Footprint {
  return { reads: new Set(), writes: new Set([EVERYTHING]) }
}

function listOf(tables: ReadonlySet<string>): string {
  return [...tables].sort().join(', ')
}
