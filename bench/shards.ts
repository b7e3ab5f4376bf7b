// `npm run tintype -- bench:shards`: measures the assumptions of docs/scaling.md. It fills databases in the SQLite of Node.js with the service's
// migrations, ids and statements. It measures bytes per image, how evenly shards fill, and the time of lookups for small and large databases.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { imageStatuses } from '../src/domain/content/image-status.ts'
import { digestOf } from '../src/domain/ids/digest.ts'
import { imageIdAt } from '../src/domain/ids/image-id.ts'
import { imagePath } from '../src/domain/ids/links.ts'
import { createGalleryHash, createManagementToken } from '../src/domain/ids/token.ts'
import { openStore } from '../src/storage/store.ts'
import { seededRandom } from '../test/support/random.ts'
import { ROOT } from '../tools/install/installed.mjs'
import { readNumbers } from '../tools/shared/command-line.ts'
import { bindingOf } from '../tools/shared/shards.ts'

const { numbers } = readNumbers({
  usage: `Usage: npm run tintype -- bench:shards [options]
Measures several databases: bytes per image, how evenly they fill, and how long lookups take.
  --shards N   how many databases (4)
  --rows N     how many images in each (200000)
  --seed N     of the random numbers (1)
  --help       this text`,
  numbers: { shards: 4, rows: 200_000, seed: 1 },
})

const { shards: SHARDS, rows: ROWS, seed: SEED } = numbers
const NOW_MS = Date.UTC(2026, 10, 21)
const LOOKUPS = 2000
const URLS = 100
const DATABASE_MAX_BYTES = 10e9
/** The share of standalone images that have a management token. */
const WITH_TOKEN = 0.5
/** Of all images, so many are in galleries. */
const IN_GALLERIES = 0.5
const NAME = 'img_20261121_123456.jpg'

const folder = mkdtempSync(path.join(tmpdir(), 'tintype-shards-'))
try {
  const shards = Array.from({ length: SHARDS }, (_, number) => openDatabase(number))
  const columns = []
  for (const rows of [Math.round(ROWS / 10), ROWS]) {
    for (const shard of shards) await fill(shard, rows)
    columns.push(await measure(shards, rows))
  }
  console.table(Object.fromEntries(columns.map(({ rows, ...column }) => [`${rows} images per shard`, column])))
  console.table(balance())
} finally {
  rmSync(folder, { recursive: true })
}

interface Seeded {
  number: number
  db: DatabaseSync
  ids: number[]
  galleries: number
  sqlMs: { total: number }
}

function openDatabase(number: number): Seeded {
  const db = new DatabaseSync(path.join(folder, `${number}.sqlite`))
  // All of it fits into memory, as what is asked for often does in D1.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144')
  const migrations = path.join(ROOT, 'migrations')
  for (const name of readdirSync(migrations).sort()) db.exec(readFileSync(path.join(migrations, name), 'utf8'))
  return { number, db, ids: [], galleries: 0, sqlMs: { total: 0 } }
}

/** Adds images until there are so many: half of them in galleries, whose sizes have a long tail. */
async function fill(shard: Seeded, rows: number) {
  const { db, number, ids } = shard
  const random = randomOf(`${number}/${rows}`)
  const insertGallery = db.prepare(
    'INSERT INTO galleries (hash, name, upload_token_digest, created_at, finalized_at) VALUES (?, ?, ?, ?, ?)',
  )
  const insertImage = db.prepare(`
    INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw,
      gallery_id, sent_digest, crc32) VALUES (?, ?, 'image/jpeg', 2345678, 4032, 3024, 7890, 200, 150, 0, ?, ?, ?)`)
  const insertToken = db.prepare('INSERT INTO management_tokens VALUES (?, ?, ?)')
  const digest = await digestOf('x')
  let sequence = (NOW_MS - Date.UTC(2026, 0, 1) - 100 * 86_400_000) * 128 + ids.length * 1000
  db.exec('BEGIN')
  while (ids.length < rows) {
    const inGallery = random() < IN_GALLERIES / sizeOf(0.5)
    const count = inGallery ? Math.min(sizeOf(random()), rows - ids.length) : 1
    const galleryId = inGallery
      ? Number(insertGallery.run(createGalleryHash(number), 'Holidays', digest, NOW_MS, NOW_MS).lastInsertRowid)
      : null
    if (galleryId !== null) {
      shard.galleries++
      insertToken.run(await digestOf(createManagementToken(number)), null, galleryId)
    }
    for (let image = 0; image < count; image++) {
      sequence += 1 + Math.floor(random() * 2000)
      const id = imageIdAt(sequence, number)
      insertImage.run(id, NAME, galleryId, random() < 0.5 ? digest : null, Math.floor(random() * 2 ** 32))
      ids.push(id)
      if (galleryId === null && random() < WITH_TOKEN)
        insertToken.run(await digestOf(createManagementToken(number)), id, null)
    }
  }
  db.exec('COMMIT')
}

/** The size of a gallery: half have at most 12 images, one in a hundred some 300. */
function sizeOf(quantile: number) {
  return Math.max(1, Math.round(12 * (1 / (1 - quantile) - 1) ** 0.7))
}

async function measure(shards: Seeded[], rows: number) {
  const sizes = shards.map(({ db }) => sizeOfDatabase(db))
  const bytes = sizes.reduce((sum, size) => sum + size, 0) / (rows * shards.length)
  const store = openStore(bindingsOf(shards))
  const random = randomOf('lookups')
  const pick = ({ ids }: Seeded) => ids[Math.floor(random() * ids.length)] ?? 0
  const address = (id: number) => ({ id, path: imagePath({ id, name: NAME }) })
  const anyShard = () => shards[Math.floor(random() * shards.length)] ?? shards[0]
  const asked = async (times: number, urls: number) => {
    for (const { sqlMs } of shards) sqlMs.total = 0
    for (let time = 0; time < times; time++) {
      const some = Array.from({ length: urls }, () => address(pick(anyShard() ?? fail())))
      const statuses = await imageStatuses(store, some, 0)
      if (statuses.some((status: string) => status !== 'available'))
        throw new Error(`an image was not found: ${statuses}`)
    }
    return Math.round((1000 * shards.reduce((sum, { sqlMs }) => sum + sqlMs.total, 0)) / times)
  }
  await asked(LOOKUPS / 10, 1)
  return {
    rows,
    'bytes per image': Math.round(bytes),
    'galleries per shard': shards[0]?.galleries,
    'millions of images in 10 GB': Number((DATABASE_MAX_BYTES / bytes / 1e6).toFixed(1)),
    'one lookup, µs in SQLite': await asked(LOOKUPS, 1),
    [`status of ${URLS}, µs in SQLite, all shards together`]: await asked(LOOKUPS / 10, URLS),
  }
}

/** Pages that are in use, in bytes. */
function sizeOfDatabase(db: DatabaseSync) {
  const read = (pragma: string) => Number(Object.values(db.prepare(`PRAGMA ${pragma}`).get() ?? {})[0])
  return (read('page_count') - read('freelist_count')) * read('page_size')
}

/**
 * Measures how evenly shards fill with a million images each. The same sequence of galleries and images is spread over
 * isolates that start at random shards, each with its own round-robin. Images are on the shard of their gallery.
 */
function balance() {
  const rows = []
  for (const count of [2, 8, 32]) {
    for (const isolates of [1, 100]) {
      const random = randomOf(`balance/${count}/${isolates}`)
      const turns = Array.from({ length: isolates }, () => Math.floor(random() * count))
      const filled = new Array(count).fill(0)
      const total = count * 1_000_000
      for (let images = 0; images < total; ) {
        const isolate = Math.floor(random() * isolates)
        const shard = ((turns[isolate] ?? 0) + 1) % count
        turns[isolate] = shard
        const size = random() < IN_GALLERIES / sizeOf(0.5) ? Math.min(sizeOf(random()), 10_000) : 1
        filled[shard] += size
        images += size
      }
      const mean = filled.reduce((sum, size) => sum + size, 0) / count
      rows.push({
        shards: count,
        isolates,
        'fullest above the mean, %': percent(Math.max(...filled), mean),
        'emptiest below, %': percent(mean, Math.min(...filled)),
      })
    }
  }
  return rows
}

function percent(more: number, less: number) {
  return Number(((100 * (more - less)) / less).toFixed(1))
}

/** The bindings of the service, as far as reads go: each database through `node:sqlite`, with the time in it added up. */
function bindingsOf(shards: Seeded[]) {
  const databases = shards.map(({ number, db, sqlMs }) => [bindingOf(number), databaseOf(db, sqlMs)])
  return { ...Object.fromEntries(databases), FILES: {} }
}

function databaseOf(db: DatabaseSync, sqlMs: { total: number }) {
  const prepared = new Map<string, StatementSync>()
  return {
    prepare: (query: string) => ({
      bind: (...parameters: SQLInputValue[]) => ({
        async raw() {
          const statement = prepared.get(query) ?? db.prepare(query)
          prepared.set(query, statement)
          statement.setReturnArrays(true)
          const begun = performance.now()
          const rows = statement.all(...parameters)
          sqlMs.total += performance.now() - begun
          return rows
        },
      }),
    }),
    withSession: () => fail(),
  }
}

/** Random numbers from 0 to 1, others for each name and each seed of the command line. */
function randomOf(name: string) {
  return seededRandom([...`${SEED}/${name}`].reduce((hash, letter) => Math.imul(hash, 31) + letter.charCodeAt(0), 7))
}

function fail(): never {
  throw new Error('the simulation asked for what it does not have')
}
