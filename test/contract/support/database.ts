import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The file of the one database in a data folder. */
export function databaseFile(data: string): string {
  const databases = readdirSync(join(data, 'd1'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.sqlite') && !name.endsWith('metadata.sqlite'))
    .map((name) => join(data, 'd1', name))
  const [file] = databases
  if (file === undefined || databases.length > 1) throw new Error(`not one database, but ${databases.length}`)
  return file
}

/** Does something with the database of a data folder, in a way that no request does: foreign keys are not enforced. */
export function inDatabase<Result>(data: string, work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(databaseFile(data), { enableForeignKeyConstraints: false })
  try {
    return work(database)
  } finally {
    database.close()
  }
}
