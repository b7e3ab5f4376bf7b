// The migrations of the database of a service on this machine.

/**
 * Applies those that this data has not seen, each in one transaction with the note that it was applied.
 * @param {Awaited<ReturnType<import('miniflare').Miniflare['getD1Database']>>} db
 * @param {import('./build.mjs').LocalService['migrations']} migrations
 */
export async function applyMigrations(db, migrations) {
  await db.exec('CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)')
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all()
  const applied = new Set(results.map(({ name }) => name))
  for (const { name, statements } of migrations) {
    if (applied.has(name)) continue
    const note = db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)
    await db.batch([...statements.map((statement) => db.prepare(statement)), note])
  }
}
