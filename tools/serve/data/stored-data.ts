// The databases of a data folder: each D1 database is an SQLite file of Miniflare's. layout.ts says where files are. Earlier versions
// stored them in Miniflare's R2: an SQLite file is its index, and each object is a file.

import { createHash, createHmac } from 'node:crypto'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { DatabaseSyncOptions } from 'node:sqlite'
import { DatabaseSync } from 'node:sqlite'
import { codeOf } from '../../shared/command-line.ts'

/** The folder of all databases, in a data folder. */
export const DATABASES = path.join('d1', 'miniflare-D1DatabaseObject')
const INDEXES = path.join('r2', 'miniflare-R2BucketObject')

/** Returns the databases of a data folder, one for each that is bound, as paths below it. A service that never ran has none. */
export function findDatabases(data: string) {
  return databasesIn(data, DATABASES)
}

/** The index of Miniflare's R2 and the folder of its files, as paths below a data folder */
export interface Bucket {
  index: string
  files: string
}

/** Returns the bucket of a data folder that has not been converted; undefined if there is none, or if it is empty. */
export function findBucket(data: string): Bucket | undefined {
  const [index] = databasesIn(data, INDEXES)
  const name = entriesOf(path.join(data, 'r2')).find((entry) => entry !== path.basename(INDEXES))
  return index === undefined || name === undefined ? undefined : { index, files: path.join('r2', name, 'blobs') }
}

/** The databases of a folder, apart from that of the alarms. */
function databasesIn(data: string, folder: string) {
  return entriesOf(path.join(data, folder))
    .filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite')
    .sort()
    .map((name) => path.join(folder, name))
}

/**
 * Whether databases of a data folder, by their ids, have all these migrations, so that a start need not apply any. False also where
 * one is not there, or cannot be read: what applies the migrations then says why.
 */
export function haveMigrations(data: string, ids: readonly string[], migrations: readonly { name: string }[]) {
  return ids.every((id) => {
    try {
      return withDatabase(path.join(data, databasePath(id)), (database) => {
        const applied = new Set(
          database
            .prepare('SELECT name FROM d1_migrations')
            .all()
            .map(({ name }) => name),
        )
        return migrations.every(({ name }) => applied.has(name))
      })
    } catch {
      return false
    }
  })
}

/** Returns the path of a database in a data folder. workerd names it by two truncated HMACs: of the id, and of the first one. */
export function databasePath(id: string) {
  const key = createHash('sha256').update(path.basename(DATABASES)).digest()
  const digestOf = (of: string | Buffer) => createHmac('sha256', key).update(of).digest().subarray(0, 16)
  const first = digestOf(id)
  return path.join(DATABASES, `${Buffer.concat([first, digestOf(first)]).toString('hex')}.sqlite`)
}

/** The names in a folder; none where there is no such folder. */
export function entriesOf(folder: string) {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Returns the result of `work` with a database, which is closed afterwards. Waits while a service writes to it. */
export function withDatabase<Result>(
  file: string,
  work: (database: DatabaseSync) => Result,
  options: DatabaseSyncOptions = { readOnly: true },
) {
  const database = new DatabaseSync(file, { timeout: 10_000, ...options })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/**
 * Returns a function that lists the keys of the files in a database: those of each image that is not deleted, and whose
 * gallery is not. It needs a Node.js with TypeScript support.
 */
export async function readKeysOfImages() {
  const { originalUrl, previewUrl, singleHostSite, thumbnailUrl } = await import('../../../src/domain/ids/links.ts')
  // The key of a file is the path of its link (src/storage/files.ts).
  const site = singleHostSite('')
  return function* (database: DatabaseSync) {
    const images = database.prepare(
      `SELECT images.id, images.name, ${hasPreviews(database) ? 'preview_bytes' : 'NULL'} AS preview FROM images LEFT JOIN galleries ON galleries.id = images.gallery_id
       WHERE images.deleted_at IS NULL AND galleries.deleted_at IS NULL ORDER BY images.id`,
    )
    for (const { id, name, preview } of images.iterate()) {
      const image = { id: Number(id), name: String(name) }
      yield originalUrl(site, image).slice(1)
      yield thumbnailUrl(site, image).slice(1)
      if (preview !== null) yield previewUrl(site, image).slice(1)
    }
  }
}

/** Returns whether a database has the columns of previews. One that no service of this version has opened lacks them. */
export function hasPreviews(database: DatabaseSync) {
  return database.prepare("SELECT 1 FROM pragma_table_info('images') WHERE name = 'preview_bytes'").get() !== undefined
}
