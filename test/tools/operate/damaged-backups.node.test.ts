import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findDamage, hasWholeRecords, readSnapshot } from '../../../tools/operate/read-snapshot.ts'
import { FolderInUse, restoreFolder, STEPS, undoRestore } from '../../../tools/operate/restore-folder.ts'
import { listSnapshots } from '../../../tools/operate/snapshots.ts'
import { takeSnapshot } from '../../../tools/operate/take-snapshot.ts'
import { INCOMPLETE } from '../../../tools/serve/data/data-folder.ts'
import { databasePath } from '../../../tools/serve/data/stored-data.ts'

const DATABASE = databasePath('a database')
const IDS = [2000, 2001, 2002]
const GALLERY = 7
const keyOf = (kind: 'images' | 'thumbs' | 'previews', id: number) => `${kind}/0/${id}_a.png`
const bytesOf = (key: string) => `the bytes of ${key}`
const md5Of = (key: string) => createHash('md5').update(bytesOf(key)).digest('hex')
/** They have previews. */
const PREVIEWED_IDS = [2000, 2002]
const KEYS = [
  ...IDS.flatMap((id) => [keyOf('images', id), keyOf('thumbs', id)]),
  ...PREVIEWED_IDS.map((id) => keyOf('previews', id)),
]

let work: string
/** A backup of a gallery of three images. */
let whole: string

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'damaged-backups-'))
  const data = join(work, 'data')
  mkdirSync(dirname(join(data, DATABASE)), { recursive: true })
  const migrations = readdirSync('migrations').filter((name) => name.endsWith('.sql'))
  const images = IDS.map((id) => `(${id}, 'a.png', 'image/png', 1, 1, 1, 1, 1, 1, 0, ${GALLERY})`)
  const database = new DatabaseSync(join(data, DATABASE))
  database.exec(
    migrations
      .toSorted()
      .map((name) => readFileSync(join('migrations', name), 'utf8'))
      .join(';'),
  )
  database.exec(`INSERT INTO galleries (id, hash, name, upload_token_digest, created_at) VALUES (${GALLERY}, 'h', '', '', 1);
    INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw,
      gallery_id) VALUES ${images};
    UPDATE images SET preview_media_type = 'image/jpeg', preview_bytes = 1, preview_width = 1, preview_height = 1, preview_crc32 = 1
      WHERE id IN (${PREVIEWED_IDS})`)
  database.close()
  for (const key of KEYS) {
    const file = join(data, 'files', key)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, bytesOf(key))
    symlinkSync(`${md5Of(key)}-1700000000000`, join(dirname(file), `.${key.split('/').at(-1)}`))
  }
  writeFileSync(join(data, 'operator.key'), 'a key\n')
  whole = join(work, 'whole')
  await takeSnapshot(data, whole)
})
afterAll(() => rmSync(work, { recursive: true }))

interface Backup {
  folder: string
  name: string
  /** Returns the path of a part: `snapshot.json`, `files.sqlite`, the name of a database, or the key of a file. */
  pathOf(part: string): string
}

function copyOfBackup(): Backup {
  const folder = mkdtempSync(join(work, 'copy-'))
  cpSync(whole, folder, { recursive: true })
  const name = listSnapshots(folder)[0] ?? ''
  const pathOf = (part: string) => {
    if (!KEYS.includes(part)) return join(folder, 'snapshots', name, part)
    const copy = createHash('sha256')
      .update(`${part} ${md5Of(part)}`)
      .digest('hex')
    return join(folder, 'blobs', copy.slice(0, 2), copy)
  }
  return { folder, name, pathOf }
}

const newFolder = () => join(mkdtempSync(join(work, 'restored-')), 'data')

function flipByte(file: string): void {
  const bytes = readFileSync(file)
  const at = bytes.length >> 1
  bytes[at] = (bytes[at] ?? 0) ^ 0x80
  writeFileSync(file, bytes)
}

const DATABASE_COPY = DATABASE.split('/').at(-1) ?? ''
const damages: Readonly<Record<string, (file: string) => void>> = {
  'a flipped byte': flipByte,
  truncation: (file) => truncateSync(file, 3),
  loss: (file) => rmSync(file),
}

describe.each(Object.entries(damages))('%s', (_, damage) => {
  test.each(['snapshot.json', 'files.sqlite', DATABASE_COPY])(
    'in the records (%s) is found, and nothing is restored',
    async (part) => {
      const { folder, name, pathOf } = copyOfBackup()
      expect(await hasWholeRecords(folder, name)).toBe(true)
      damage(pathOf(part))
      expect(await hasWholeRecords(folder, name)).toBe(false)
      const found = await findDamage(folder, name)
      expect(found.damage).toEqual([{ message: expect.stringContaining(part) }])
      const data = newFolder()
      await expect(readSnapshot(folder, name, data, { skipDamaged: true })).rejects.toThrow(part)
    },
  )

  test('in files is found in all of them; without their images, the rest is restored', async () => {
    const { folder, name, pathOf } = copyOfBackup()
    // All files of one image, the thumbnail of another, and the preview of a third.
    const imageFiles = [keyOf('images', 2000), keyOf('thumbs', 2000), keyOf('thumbs', 2001)]
    const broken = [keyOf('previews', 2000), ...imageFiles, keyOf('previews', 2002)]
    for (const key of broken) damage(pathOf(key))
    const { damage: found, facts } = await findDamage(folder, name)
    expect(found.map(({ key }) => key).toSorted()).toEqual(broken.toSorted())
    expect(facts).toMatchObject({ files: KEYS.length })
    await expect(readSnapshot(folder, name, newFolder())).rejects.toThrow(/is not what was backed up|is missing/)

    const data = newFolder()
    const { leftOut, withoutPreview } = await readSnapshot(folder, name, data, { skipDamaged: true })
    expect(leftOut.map(({ address }) => address).toSorted()).toEqual(['/show/0/2000_a.png', '/show/0/2001_a.png'])
    expect(withoutPreview.map(({ address }) => address)).toEqual(['/show/0/2002_a.png'])
    for (const key of broken) expect(existsSync(join(data, 'files', key)), key).toBe(false)
    expect(readFileSync(join(data, 'files', keyOf('images', 2002)), 'utf8')).toBe(bytesOf(keyOf('images', 2002)))
    const database = new DatabaseSync(join(data, DATABASE))
    const rowsOf = (sql: string) => database.prepare(sql).all()
    // No record is half there: the sweep removes the original of 2001, and the gallery counts the rest.
    expect(rowsOf('SELECT id, deleted_at IS NULL AS shown FROM images ORDER BY id')).toEqual([
      { id: 2000, shown: 0 },
      { id: 2001, shown: 0 },
      { id: 2002, shown: 1 },
    ])
    expect(rowsOf('SELECT preview_media_type, preview_bytes, preview_crc32 FROM images WHERE id = 2002')).toEqual([
      { preview_media_type: null, preview_bytes: null, preview_crc32: null },
    ])
    expect(rowsOf('SELECT image_count FROM galleries')).toEqual([{ image_count: 1 }])
    expect(rowsOf('SELECT image_id, name FROM file_cleanup ORDER BY image_id')).toEqual([
      { image_id: 2000, name: 'a.png' },
      { image_id: 2001, name: 'a.png' },
    ])
    database.close()
  })
})

test('all damage is found, wherever it is', async () => {
  const { folder, name, pathOf } = copyOfBackup()
  const parts = [DATABASE_COPY, keyOf('images', 2000), keyOf('thumbs', 2002)]
  for (const part of parts) flipByte(pathOf(part))
  expect((await findDamage(folder, name)).damage.map(({ message }) => message)).toEqual(
    expect.arrayContaining(parts.map((part) => expect.stringContaining(pathOf(part)))),
  )
})

test('a disk that refuses to write is no damage of the backup', async () => {
  const { folder, name } = copyOfBackup()
  const data = newFolder()
  mkdirSync(join(data, 'files', 'images', '0'), { recursive: true })
  // In the place of a file that is being written.
  mkdirSync(join(data, 'files', `${keyOf('images', 2000)}.part`))
  await expect(readSnapshot(folder, name, data, { skipDamaged: true })).rejects.toThrow('EISDIR')
})

/** The names in a data folder, with the content of files. */
function contentOf(data: string): Record<string, string> {
  const names = readdirSync(data, { recursive: true, encoding: 'utf8' }).toSorted()
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = name.endsWith('.txt') ? readFileSync(join(data, name), 'utf8') : undefined
      return text === undefined ? [] : [[name, text]]
    }),
  )
}

describe('a restore that is cut off', () => {
  const OLD = { 'both/old.txt': 'old', 'kept.txt': 'old', 'replaced-earlier/x.txt': 'earlier' }
  const NEW = { 'both/new.txt': 'new', 'fresh.txt': 'new' }
  const write = (folder: string, files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  }
  const fill = async (folder: string) => write(folder, NEW)

  /** Returns steps of which the one of this number fails. `killed` does nothing after that one either, as a dead process. */
  function cutAt(number: number) {
    let count = 0
    const stepsThat = (fail: () => boolean): typeof STEPS => {
      const cut = (step: () => void) => {
        count++
        if (fail()) throw new Error('cut')
        step()
      }
      return {
        makeFolder: (folder) => cut(() => STEPS.makeFolder(folder)),
        rename: (from, to) => cut(() => STEPS.rename(from, to)),
        remove: (target) => cut(() => STEPS.remove(target)),
        write: (file, text) => cut(() => STEPS.write(file, text)),
        sync: (folder) => cut(() => STEPS.sync(folder)),
      }
    }
    return {
      failing: stepsThat(() => count === number),
      killed: stepsThat(() => count >= number),
      count: () => count,
    }
  }

  test('anywhere is undone by the next one', async () => {
    const attempts: number[] = []
    for (let number = 1; ; number++) {
      const data = newFolder()
      write(data, OLD)
      const { killed, count } = cutAt(number)
      const ended = await restoreFolder(data, { replace: true }, fill, killed).catch(() => 'cut')
      if (ended !== 'cut') break
      attempts.push(count())
      // It says that the folder is not empty, with the old content in place, or the new one if all of it was.
      await expect(restoreFolder(data, { replace: false }, fill)).rejects.toThrow(FolderInUse)
      if (existsSync(join(data, 'fresh.txt'))) {
        expect(contentOf(data), `step ${number}`).toMatchObject(NEW)
        expect(existsSync(join(data, 'kept.txt')), `step ${number}`).toBe(false)
      } else {
        expect(contentOf(data), `step ${number}`).toEqual(OLD)
        expect(readdirSync(data).toSorted(), `step ${number}`).toEqual(['both', 'kept.txt', 'replaced-earlier'])
      }
      await restoreFolder(data, { replace: true }, fill)
      expect(contentOf(data)).toMatchObject(NEW)
      expect(readdirSync(data)).not.toContain(INCOMPLETE)
    }
    expect(attempts.length).toBeGreaterThan(12)
  })

  test('while it is undone is undone by the next one', async () => {
    for (let number = 1; ; number++) {
      const data = newFolder()
      write(data, OLD)
      // After the mark, both old entries and one new one have moved.
      const moved = cutAt(13)
      await restoreFolder(data, { replace: true }, fill, moved.killed).catch(() => {})
      expect(readdirSync(data)).toContain(INCOMPLETE)
      const { killed, count } = cutAt(number)
      try {
        undoRestore(data, killed)
      } catch {
        undoRestore(data)
      }
      expect(contentOf(data), `step ${number}`).toEqual(OLD)
      if (count() < number) break
    }
  })

  test('by an error leaves the old content, and nothing else', async () => {
    const data = newFolder()
    write(data, OLD)
    const failing = async (folder: string) => {
      await fill(folder)
      throw new Error('the disk is full')
    }
    await expect(restoreFolder(data, { replace: true }, failing)).rejects.toThrow('the disk is full')
    expect(readdirSync(data).toSorted()).toEqual(['both', 'kept.txt', 'replaced-earlier'])
    for (let number = 1; number < 12; number++) {
      await restoreFolder(data, { replace: true }, fill, cutAt(number).failing).catch(() => {})
      expect(contentOf(data), `step ${number}`).toMatchObject(OLD)
      if (!existsSync(join(data, 'kept.txt'))) break
    }
  })
})
