import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeRemoteMigrations } from '../../tools/deploy/remote-migrations.ts'
import { createFakeDatabase, splitAsD1 } from '../tools/deploy/fake-d1.ts'

/** Landed with triggers of several lines, and never edited. D1 gets copies (tools/deploy/remote-migrations.ts). */
const LANDED = ['0005_gallery_counts.sql', '0011_moderation.sql']
const INCOMPLETE = { error: 'incomplete input: SQLITE_ERROR' }
const SCHEMA = 'SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name'
const FOLDER = path.resolve(import.meta.dirname, '../../migrations')

/** Returns a database before this migration, and a function that applies it and the later ones. */
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

test('existing galleries are counted, with checkpoints', () => {
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

describe('the statements that D1 receives', () => {
  const names = readdirSync(FOLDER).sort()
  const sql = new Map(names.map((name) => [name, readFileSync(path.join(FOLDER, name), 'utf8')]))
  const copies = new Map<string, string>()
  beforeAll(async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tintype-migrations-'))
    await writeRemoteMigrations(FOLDER, folder)
    for (const name of readdirSync(folder).sort()) copies.set(name, readFileSync(path.join(folder, name), 'utf8'))
    rmSync(folder, { recursive: true })
  })

  test.for(names)('%s has each trigger on one line, or landed before this rule', (name) => {
    const database = createFakeDatabase()
    for (const before of names.filter((other) => other < name)) database.query(copies.get(before) ?? '')
    const response = database.query(sql.get(name) ?? '')
    if (LANDED.includes(name)) expect(response).toEqual(INCOMPLETE)
    else expect(response, 'write CREATE TRIGGER ... BEGIN ... END; on one line').not.toHaveProperty('error')
  })

  test('is a copy of each migration that makes the same database', () => {
    const remote = createFakeDatabase()
    const local = new DatabaseSync(':memory:')
    expect([...copies.keys()]).toEqual(names)
    for (const copy of copies.values()) expect(remote.query(copy)).not.toHaveProperty('error')
    for (const text of sql.values()) local.exec(text)
    const response = remote.query(SCHEMA)
    const [made] = 'results' in response ? response.results : []
    expect(made?.results.length).toBeGreaterThan(20)
    expect(made?.results.map(withoutLines)).toEqual(local.prepare(SCHEMA).all().map(withoutLines))
  })

  test.for([
    ['several lines', 'CREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n  DELETE FROM a;\nEND;'],
    ['carriage returns', 'CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a;\r\nEND;'],
    ['begin in small letters', 'CREATE TRIGGER t AFTER INSERT ON a begin DELETE FROM a; END;'],
    [
      'a CASE at the end of a statement',
      'CREATE TRIGGER t AFTER INSERT ON a BEGIN SELECT CASE WHEN 1 THEN 2 END; END;',
    ],
  ] as const)('is rejected by the simulated D1 with %s in a trigger', ([, trigger]) => {
    expect(createFakeDatabase().query(`CREATE TABLE a (x);${trigger}`)).toEqual(INCOMPLETE)
  })

  test('is applied by the simulated D1 as a whole or not at all', () => {
    const database = createFakeDatabase()
    const trigger = 'CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a WHERE x > 1; SELECT 1; END;'
    expect(splitAsD1(`CREATE TABLE a (x); -- ; "\n${trigger}SELECT ';' AS b`)).toHaveLength(3)
    expect(database.query(`CREATE TABLE a (x);${trigger}`)).not.toHaveProperty('error')
    expect(database.query('CREATE TABLE b (x);CREATE TABLE b (x);')).toHaveProperty('error')
    expect(database.query('SELECT * FROM b')).toEqual({ error: 'no such table: b: SQLITE_ERROR' })
    expect(database.query('BEGIN TRANSACTION')).toHaveProperty('error')
  })
})

function withoutLines(row: unknown): string {
  return JSON.stringify(row).replace(/--.*?\\n|\\n|\s/g, '')
}
