// Records straight into the database of a service that does not run: as many images as no client could upload for a benchmark.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { imagePath } from '../../src/domain/ids/links.ts'

const EPOCH_MS = Date.UTC(2026, 0, 1)
const IDS_PER_MS = 4096
const ROWS_A_TRANSACTION = 500_000
const IMAGE_VALUES = "'image/jpeg', 3145728, 4000, 3000, 9000, 200, 150, 0"

/**
 * Inserts records of images without files, spread evenly from the first day until now. `gallery` is the hash of a gallery that
 * gets `galleryImages` more. Returns the bytes of a row, and a function that returns the path `<dir>/<id>_<name>` of an image.
 */
export function seed(
  folder: string,
  { images, gallery, galleryImages }: { images: number; gallery: string; galleryImages: number },
) {
  const database = new DatabaseSync(databaseOf(folder))
  const stepMs = Math.max(1, Math.floor((Date.now() - EPOCH_MS) / (images + 1)))
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -200000')
  const bytesBefore = sizeOf(database)
  const insert = database.prepare(`
    WITH RECURSIVE n (i) AS (SELECT CAST(:from AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < :to)
    INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw)
    SELECT CAST(:stepMs AS INTEGER) * i * ${IDS_PER_MS} + i % ${IDS_PER_MS}, 'photo-' || i || '.jpg', ${IMAGE_VALUES} FROM n`)
  for (let from = 1; from <= images; from += ROWS_A_TRANSACTION) {
    insert.run({ from, to: Math.min(images, from + ROWS_A_TRANSACTION - 1), stepMs })
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }
  const rowBytes = (sizeOf(database) - bytesBefore) / images
  database.exec('BEGIN')
  const insertInto = database.prepare(`
    INSERT INTO images (
      id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id
    ) SELECT ?, ?, ${IMAGE_VALUES}, id FROM galleries WHERE hash = ?`)
  // Standalone images have other sequence numbers in their millisecond.
  for (let i = 1; i <= galleryImages; i++) {
    insertInto.run(i * IDS_PER_MS + IDS_PER_MS - 1, `image-${i}.jpg`, gallery)
  }
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  const pathOf = (number: number) =>
    imagePath({ id: stepMs * number * IDS_PER_MS + (number % IDS_PER_MS), name: `photo-${number}.jpg` })
  return { pathOf, rowBytes }
}

function sizeOf(database: DatabaseSync) {
  return Number(
    database.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size').get()?.bytes,
  )
}

/** The file of the only D1 database that the service has. */
function databaseOf(folder: string) {
  const databases = path.join(folder, 'd1', 'miniflare-D1DatabaseObject')
  const [file, ...others] = readdirSync(databases).filter((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  if (file === undefined || others.length > 0) throw new Error('there must be one database')
  return path.join(databases, file)
}
