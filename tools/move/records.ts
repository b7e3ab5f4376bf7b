// Records of a database as SQL that D1 imports, the difference of two databases, and their comparison. The tables exist on both sides,
// made by the same migrations.
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { withoutLines } from '../deploy/remote-migrations.ts'
import { withDatabase } from '../serve/data/stored-data.ts'

/** Of a statement: https://developers.cloudflare.com/d1/platform/limits/ (100,000 bytes). */
const STATEMENT_MAX_BYTES = 100_000
/** Rows are gathered into statements of this length. */
const STATEMENT_BYTES = 50_000
/** Of an import: D1 accepts 5 GB, and an interrupted move repeats one part. */
const PART_BYTES = 50_000_000

const MIGRATIONS = 'd1_migrations'

/** A table, in an order in which referenced tables come first. */
interface Table {
  name: string
  columns: string[]
  keys: string[]
}

/** Returns the names of the applied migrations. */
export function migrationsOf(file: string): string[] {
  return withDatabase(file, (database) => {
    const rows = database.prepare(`SELECT name FROM ${MIGRATIONS} ORDER BY name`).all()
    return rows.map(({ name }) => String(name))
  })
}

/** Yields SQL that replaces all records of a database by those of this one, in parts. Each part may be executed twice. */
export function* replacingSql(file: string): Generator<string> {
  yield* withTriggersOff(file, (database) => statementsThatReplace(database))
}

/** Yields SQL that makes the records of `before` those of `after`, in parts; nothing where they are equal. */
export function* changingSql(before: string, after: string): Generator<string> {
  if (!differ(before, after)) return
  yield* withTriggersOff(after, (database) => statementsThatChange(database, before))
}

/** Returns the tables in which two databases differ, with the number of rows. */
export function differences(one: string, other: string): { table: string; rows: number }[] {
  return withBoth(other, one, (database) =>
    tablesOf(database).flatMap(({ name }) => {
      const count = (from: string, without: string) =>
        Number(
          database
            .prepare(
              `SELECT count(*) AS n FROM (SELECT * FROM ${from}.${quoted(name)} EXCEPT SELECT * FROM ${without}.${quoted(name)})`,
            )
            .get()?.n,
        )
      const rows = count('main', 'before') + count('before', 'main')
      return rows > 0 ? [{ table: name, rows }] : []
    }),
  )
}

/** Returns the number of rows of each table. */
export function countRows(file: string): Record<string, number> {
  return withDatabase(file, (database) =>
    Object.fromEntries(
      tablesOf(database).map(({ name }) => [
        name,
        Number(database.prepare(`SELECT count(*) AS n FROM ${quoted(name)}`).get()?.n),
      ]),
    ),
  )
}

/** Makes a database of an export. */
export function loadSql(file: string, sql: string): void {
  rmSync(file, { force: true })
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA foreign_keys = OFF')
    database.exec(`BEGIN; ${sql}\n; COMMIT`)
  } finally {
    database.close()
  }
}

function differ(one: string, other: string): boolean {
  return differences(one, other).length > 0
}

/** Yields parts: the first removes the triggers, which would count rows twice, and the last makes them again. */
function* withTriggersOff(file: string, statements: (database: DatabaseSync) => Iterable<string>): Generator<string> {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name").all()
    const drops = triggers.map(({ name }) => `DROP TRIGGER IF EXISTS ${quoted(String(name))};\n`).join('')
    let part = `PRAGMA defer_foreign_keys = TRUE;\n${drops}`
    for (const statement of statements(database)) {
      if (part.length + statement.length > PART_BYTES) {
        yield part
        part = `PRAGMA defer_foreign_keys = TRUE;\n`
      }
      part += `${statement}\n`
    }
    // D1 cuts a trigger that has several lines (tools/deploy/remote-migrations.ts).
    yield part + triggers.map(({ sql }) => `${withoutLines(String(sql))};\n`).join('')
  } finally {
    database.close()
  }
}

function* statementsThatReplace(database: DatabaseSync): Generator<string> {
  const tables = tablesOf(database)
  for (const { name } of tables.toReversed()) yield `DELETE FROM ${quoted(name)};`
  for (const table of tables) {
    const rows = database.prepare(`SELECT ${literals(table.columns)} FROM ${quoted(table.name)}`).iterate()
    yield* inserts(table, rows)
  }
}

function* statementsThatChange(database: DatabaseSync, before: string): Generator<string> {
  database.prepare('ATTACH ? AS before').run(before)
  const tables = tablesOf(database)
  for (const { name, keys } of tables.toReversed()) {
    const removed = database
      .prepare(
        `SELECT ${literals(keys)} FROM before.${quoted(name)}
         WHERE (${keys.map(quoted)}) NOT IN (SELECT ${keys.map(quoted)} FROM main.${quoted(name)})`,
      )
      .iterate()
    for (const row of removed) {
      const values = Object.values(row)
      yield `DELETE FROM ${quoted(name)} WHERE ${keys.map((key, at) => `${quoted(key)} = ${values[at]}`).join(' AND ')};`
    }
  }
  for (const table of tables) {
    const changed = database
      .prepare(
        `SELECT ${literals(table.columns)} FROM
         (SELECT * FROM main.${quoted(table.name)} EXCEPT SELECT * FROM before.${quoted(table.name)})`,
      )
      .iterate()
    yield* inserts(table, changed)
  }
}

/** Yields statements that insert rows of literals, or replace those of the same key. Throws where one row is too long for D1. */
function* inserts({ name, columns }: Table, rows: Iterable<Record<string, unknown>>): Generator<string> {
  const start = `INSERT OR REPLACE INTO ${quoted(name)} (${columns.map(quoted)}) VALUES `
  let values: string[] = []
  let bytes = start.length
  for (const row of rows) {
    const text = `(${Object.values(row).join(',')})`
    const length = Buffer.byteLength(text)
    if (start.length + length >= STATEMENT_MAX_BYTES) {
      throw new Error(`a row of "${name}" has ${length} bytes as SQL, and D1 takes ${STATEMENT_MAX_BYTES} at most`)
    }
    if (values.length > 0 && bytes + length > STATEMENT_BYTES) {
      yield `${start}${values.join(',')};`
      values = []
      bytes = start.length
    }
    values.push(text)
    bytes += length + 1
  }
  if (values.length > 0) yield `${start}${values.join(',')};`
}

/** Returns the tables of the service, those that others refer to first. */
function tablesOf(database: DatabaseSync): Table[] {
  const names = database
    .prepare(
      `SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND name <> '${MIGRATIONS}' ORDER BY name`,
    )
    .all()
    .map(({ name }) => String(name))
  const sorted: string[] = []
  const add = (name: string) => {
    if (sorted.includes(name)) return
    const parents = database.prepare(`PRAGMA main.foreign_key_list(${quoted(name)})`).all()
    for (const { table } of parents) if (table !== name) add(String(table))
    sorted.push(name)
  }
  for (const name of names) add(name)
  return sorted.map((name) => {
    const columns = database.prepare(`PRAGMA main.table_info(${quoted(name)})`).all()
    const keys = columns.filter(({ pk }) => Number(pk) > 0)
    return {
      name,
      columns: columns.map((column) => String(column.name)),
      keys: keys.map((column) => String(column.name)),
    }
  })
}

function withBoth<Result>(main: string, before: string, work: (database: DatabaseSync) => Result): Result {
  return withDatabase(main, (database) => {
    database.prepare('ATTACH ? AS before').run(before)
    return work(database)
  })
}

/** Returns columns as SQLite writes their values in SQL. */
function literals(columns: readonly string[]): string {
  return columns.map((column) => `quote(${quoted(column)}) AS ${quoted(column)}`).join(', ')
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
