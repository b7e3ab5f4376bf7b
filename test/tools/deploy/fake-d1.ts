import { DatabaseSync } from 'node:sqlite'

/** A response of D1's query API: a result for each statement, or the error by which it refused all of them. */
type QueryResponse = { results: { results: unknown[]; success: true; meta: object }[] } | { error: string }

/** A database of D1 behind its query API: SQLite, with the flaws of D1's own that migrations have met. */
export interface FakeDatabase {
  /** Executes SQL as `POST /d1/database/<id>/query` does: all of it, or nothing. */
  query(sql: string): QueryResponse
  /** Returns all of it as SQL, as an export does. */
  dump(): string
}

/** https://developers.cloudflare.com/d1/platform/limits/ */
const STATEMENT_MAX_BYTES = 100_000

/** Statements that D1 rejects, because transactions are its own. */
const REFUSED = /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i

export function createFakeDatabase(): FakeDatabase {
  const database = new DatabaseSync(':memory:')
  const run = (statement: string) => {
    if (Buffer.byteLength(statement) > STATEMENT_MAX_BYTES) throw new Error('statement too long')
    if (REFUSED.test(statement)) throw new Error('To execute a transaction, please use the state.storage.transaction()')
    return { results: database.prepare(statement).all(), success: true as const, meta: { duration: 0 } }
  }
  return {
    query(sql) {
      database.exec('SAVEPOINT query')
      try {
        return { results: splitAsD1(sql).map(run) }
      } catch (error) {
        database.exec('ROLLBACK TO query')
        return { error: `${error instanceof Error ? error.message : error}: SQLITE_ERROR` }
      } finally {
        database.exec('RELEASE query')
      }
    },
    dump: () => dumpOf(database),
  }
}

function dumpOf(database: DatabaseSync): string {
  const made = database
    .prepare("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%'")
    .all()
  const tables = made.filter(({ type }) => type === 'table')
  const rows = tables.flatMap(({ name }) => {
    const columns = database.prepare(`PRAGMA table_info("${name}")`).all()
    const values = columns.map((column) => `quote("${column.name}")`).join(" || ',' || ")
    const list = database.prepare(`SELECT ${values} AS row FROM "${name}"`).all()
    return list.map(({ row }) => `INSERT INTO "${name}" VALUES(${row});`)
  })
  const statements = (list: typeof made) => list.map(({ sql }) => `${sql};`)
  const others = made.filter(({ type }) => type !== 'table')
  return ['PRAGMA defer_foreign_keys=TRUE;', ...statements(tables), ...rows, ...statements(others)].join('\n')
}

const COMMENT_OR_QUOTED = /('(?:[^']|'')*'|"(?:[^"]|"")*")|--[^\n]*|\/\*[\s\S]*?\*\//g
/** A trigger on one line, or what comes before the next semicolon. */
const STATEMENT =
  /\s*((?:CREATE|create) (?:TEMP )?TRIGGER\b[^\r\n]*? BEGIN [^\r\n]*?\sEND\s*;|(?:'(?:[^']|'')*'|"(?:[^"]|"")*"|[^;])+;?)/g

/**
 * Returns the statements that D1's query API finds. A trigger stays whole only on one line with `BEGIN` in capitals; else it ends
 * at its first semicolon, and SQLite finds its input incomplete. Reports: https://github.com/cloudflare/workers-sdk/issues/15690
 * (several lines), /issues/15314 (`begin`), /issues/14991 (CRLF), /issues/4326 (`CASE ... END;` within).
 */
export function splitAsD1(sql: string): string[] {
  const code = sql.replace(COMMENT_OR_QUOTED, (_, quoted) => quoted ?? ' ')
  return [...code.matchAll(STATEMENT)].map(([statement]) => statement.trim()).filter((statement) => statement !== '')
}
