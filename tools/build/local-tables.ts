// The tables of `wrangler dev`, in the database that it keeps in .wrangler/state.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT, toolEnvironment } from '../install/installed.mjs'
import { runTool } from '../shared/processes.ts'
import { makeWhenChanged } from '../shared/when-changed.ts'

const STATE = path.join(ROOT, '.wrangler', 'state')
const MIGRATIONS = path.join(ROOT, 'migrations')
/** The table in which wrangler keeps what it applied, as it creates it. */
const APPLIED = `CREATE TABLE d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
);`

/** Applies the migrations where the state is new or a migration is. It opens the database before `wrangler dev` does. */
export function ensureLocalTables() {
  const migrated = path.join(STATE, 'migrated')
  return makeWhenChanged({
    what: 'the tables of wrangler dev, which keeps its data in .wrangler/state',
    outputs: [migrated],
    sources: [MIGRATIONS],
    make() {
      if (existsSync(path.join(STATE, 'v3', 'd1'))) runD1(['migrations', 'apply', 'DB'])
      else createTables()
      writeFileSync(migrated, '')
      return []
    },
  })
}

/** Applies all migrations at once. Wrangler would start workerd several times for each. */
function createTables() {
  const names = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .sort()
  const statements = names.map((name) => readFileSync(path.join(MIGRATIONS, name), 'utf8'))
  const applied = names.map((name) => `INSERT INTO d1_migrations (name) VALUES ('${name}');`)
  const file = path.join(STATE, 'tables.sql')
  mkdirSync(STATE, { recursive: true })
  writeFileSync(file, [...statements, APPLIED, ...applied].join('\n'))
  runD1(['execute', 'DB', '--file', file, '--yes'])
  rmSync(file)
}

function runD1(args: string[]) {
  runTool('wrangler', ['d1', ...args, '--local', '--env='], {
    env: { ...toolEnvironment(), CI: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}
