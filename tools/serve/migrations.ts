// Applies the migrations to the databases of a service on this machine: a Worker, which workerd runs before the service. From
// Node.js each statement would go through the proxies of Miniflare, which take longer than the rest of the start.
import type { LocalService } from '../build/build.ts'

export type Migrations = LocalService['migrations']

export default {
  /** Takes the migrations as JSON. The response is empty, or what went wrong. */
  async fetch(request: Request, env: Record<string, Database>) {
    try {
      const migrations = await request.json()
      for (const database of Object.values(env)) await apply(database, migrations)
      return new Response()
    } catch (error) {
      return new Response(String(error), { status: 500 })
    }
  },
}

/** As far as it is used here. */
interface Statement {
  bind: (...values: string[]) => Statement
  all: () => Promise<{ results: { name: string }[] }>
}
export interface Database {
  prepare: (sql: string) => Statement
  exec: (sql: string) => Promise<unknown>
  batch: (statements: Statement[]) => Promise<unknown>
}

/** Applies those that this data has not seen, each in one transaction with the note that it was applied. */
async function apply(db: Database, migrations: Migrations) {
  await db.exec('CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)')
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all()
  const applied = new Set(results.map(({ name }) => name))
  for (const { name, statements } of migrations) {
    if (applied.has(name)) continue
    const note = db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)
    await db.batch([...statements.map((statement) => db.prepare(statement)), note])
  }
}
