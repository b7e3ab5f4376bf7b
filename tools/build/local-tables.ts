// The tables of `wrangler dev`, in the database that it keeps in .wrangler/state.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT, toolEnvironment } from '../install/installed.mjs'
import { runTool } from '../shared/processes.ts'
import { makeWhenChanged } from '../shared/when-changed.ts'

const STATE = path.join(ROOT, '.wrangler', 'state')

/** Applies the migrations where the state is new or a migration is. It opens the database before `wrangler dev` does. */
export function ensureLocalTables() {
  const migrated = path.join(STATE, 'migrated')
  return makeWhenChanged({
    what: 'the tables of wrangler dev, which keeps its data in .wrangler/state',
    outputs: [migrated],
    sources: [path.join(ROOT, 'migrations')],
    make() {
      runTool('wrangler', ['d1', 'migrations', 'apply', 'DB', '--local', '--env='], {
        env: { ...toolEnvironment(), CI: '1' },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      writeFileSync(migrated, '')
      return []
    },
  })
}
