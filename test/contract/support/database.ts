import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Returns the path of the only database in a data folder. */
export function databaseFile(data: string): string {
  const databases = readdirSync(join(data, 'd1'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sqlite') && !name.endsWith('metadata.sqlite'))
    .map((name) => join(data, 'd1', name))
  const [file] = databases
  if (file === undefined || databases.length > 1) throw new Error(`not one database, but ${databases.length}`)
  return file
}

/**
 * Runs a function on the database of a data folder, for changes that no request makes. Foreign keys are not enforced.
 */
export function inDatabase<Result>(data: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(databaseFile(data), { enableForeignKeyConstraints: false })
  try {
    return work(database)
  } finally {
    database.close()
  }
}
