import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'

const FOLDER = path.resolve(import.meta.dirname, '../../migrations')

/** A database that lacks this migration and what came after it, and a way to apply them. */
function databaseBefore(migration: string) {
  const database = new DatabaseSync(':memory:')
  const names = readdirSync(FOLDER).sort()
  const apply = (name: string) => database.exec(readFileSync(path.join(FOLDER, name), 'utf8'))
  const first = names.findIndex((name) => name.startsWith(migration))
  expect(first).toBeGreaterThan(0)
  names.slice(0, first).forEach(apply)
  return {
    database,
    rows: (query: string) => database.prepare(query).all(),
    migrate: () => names.slice(first).forEach(apply),
  }
}

const INSERT_GALLERY =
  'INSERT INTO galleries (id, hash, name, upload_token_digest, created_at, finalized_at, deleted_at) VALUES'
const INSERT_IMAGES =
  'INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id, deleted_at)'

test('galleries that are there already are counted and marked', () => {
  const { database, rows, migrate } = databaseBefore('0005')
  database.exec(`${INSERT_GALLERY} (1, 'large', '', '', 0, NULL, NULL), (2, 'empty', '', '', 0, NULL, NULL)`)
  database.exec(`${INSERT_IMAGES}
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 310)
    SELECT i, 'a.gif', 'image/gif', 1, 1, 1, 1, 1, 1, 0, iif(i > 5, 1, NULL), iif(i % 5 = 0, 1, NULL) FROM n`)
  migrate()
  expect(rows('SELECT id, image_count FROM galleries')).toEqual([
    { id: 1, image_count: 244 },
    { id: 2, image_count: 0 },
  ])
  expect(rows('SELECT * FROM gallery_marks')).toEqual([
    { gallery_id: 1, image_id: 131, images_before: 100 },
    { gallery_id: 1, image_id: 256, images_before: 200 },
  ])
})
