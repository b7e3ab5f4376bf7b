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
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { s3Files } from '../../../src/storage/files/s3.ts'
import { AccountApi } from '../../../tools/deploy/account-api.ts'
import { withoutLines } from '../../../tools/deploy/remote-migrations.ts'
import { retryingFiles } from '../../../tools/move/move-files.ts'
import { type Deployed, type MoveOptions, moveFromCloudflare, moveToCloudflare } from '../../../tools/move/moving.ts'
import { differences } from '../../../tools/move/records.ts'
import { refusalOfMove } from '../../../tools/serve/data/move-journal.ts'
import { databasePath } from '../../../tools/serve/data/stored-data.ts'
import { addTintype, type FakeCloudflare, startFakeCloudflare } from '../deploy/fake-cloudflare.ts'

const NAMES = ['my-tintype', 'my-tintype-1']
const BUCKET = 'my-tintype-files'
const DATABASES = NAMES.map(databasePath)
const KEY = 'operator:0123456789abcdef0123456789abcdef'
const MIGRATIONS = readdirSync('migrations')
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
  .map((name) => ({ name, sql: withoutLines(readFileSync(join('migrations', name), 'utf8')) }))
const SCHEMA = [
  'CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TEXT DEFAULT CURRENT_TIMESTAMP);',
  ...MIGRATIONS.map(({ name, sql }) => `${sql};INSERT INTO d1_migrations (name) VALUES ('${name}');`),
].join('\n')
const IDS = [2000, 2001]
/** It has a preview. */
const PREVIEWED_ID = 2001
/** On shard 1. */
const SECOND_ID = 2004

let template: string
let work: string
let cloudflare: FakeCloudflare

beforeAll(() => {
  template = mkdtempSync(join(tmpdir(), 'move-template-'))
  makeTemplate(template)
})
afterAll(() => rmSync(template, { recursive: true }))
beforeEach(async () => {
  work = mkdtempSync(join(tmpdir(), 'move-'))
  cloudflare = await startFakeCloudflare()
  addTintype(cloudflare, 'my-tintype', NAMES[0] ?? '', BUCKET)
  addTintype(cloudflare, 'other', NAMES[1] ?? '', BUCKET)
  for (const name of NAMES) cloudflare.databases.get(name)?.database.query(SCHEMA)
})
afterEach(async () => {
  await cloudflare.close()
  rmSync(work, { recursive: true })
})

const keysOf = (id: number) =>
  ['images', 'thumbs', ...(id === PREVIEWED_ID ? ['previews'] : [])].map((kind) => `${kind}/0/${id}_a.png`)
/** The bytes of a preview begin as a JPEG does. */
const bytesOf = (key: string) =>
  Buffer.concat([Buffer.from(key.startsWith('previews/') ? [0xff, 0xd8] : []), Buffer.from(`the bytes of ${key}`)])
const md5Of = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex')

function execute(file: string, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

function putFiles(data: string, id: number): void {
  for (const key of keysOf(id)) {
    const target = join(data, 'files', key)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, bytesOf(key))
    symlinkSync(`${md5Of(bytesOf(key))}-1700000000000`, join(dirname(target), `.${id}_a.png`))
  }
}

const insertImage = (id: number, gallery: number | null) => `
  INSERT INTO images (id, name, media_type, bytes, width, height, thumbnail_bytes, thumbnail_width, thumbnail_height, nsfw, gallery_id)
    VALUES (${id}, 'a.png', 'image/png', 1, 1, 1, 1, 1, 1, 0, ${gallery});
  INSERT INTO management_tokens (digest, image_id) VALUES ('token of ${id}', ${id});`

/** Makes a data folder of two shards, with a gallery, tokens and the state of operators. */
function makeData(): string {
  const data = join(mkdtempSync(join(work, 'local-')), 'data')
  cpSync(template, data, { recursive: true, verbatimSymlinks: true })
  return data
}

function makeTemplate(data: string): void {
  for (const file of DATABASES) {
    mkdirSync(dirname(join(data, file)), { recursive: true })
    execute(join(data, file), SCHEMA)
  }
  const [first = '', second = ''] = DATABASES
  execute(
    join(data, first),
    `INSERT INTO galleries (id, hash, name, upload_token_digest, created_at, finalized_at) VALUES (7, 'h', 'It''s; -- mine', 'd', 1, 2);
     ${IDS.map((id) => insertImage(id, 7)).join('')}
     INSERT INTO moderation_audit (operation, decided_at, operator, action, image_id) VALUES ('o', 1, 'anna', 'hide', 2001);
     UPDATE images SET hidden_at = 1 WHERE id = 2001;
     UPDATE images SET expires_at = 3000000000000 WHERE id = 2001;
     UPDATE galleries SET expires_at = 4000000000000;
     UPDATE images SET preview_media_type = 'image/jpeg', preview_bytes = 1, preview_width = 1, preview_height = 1
       WHERE id = ${PREVIEWED_ID};
     INSERT INTO blocked_files VALUES ('digest', 2001, 1);
     INSERT INTO secrets VALUES ('rate', 'salt');
     INSERT INTO reports (image_id, reason, details, contact, created_at) VALUES (2001, 'other', '${'é"\n'.repeat(9000)}', '', 1)`,
  )
  execute(join(data, second), insertImage(SECOND_ID, null))
  for (const id of [...IDS, SECOND_ID]) putFiles(data, id)
}

/** Changes a data folder or what it was copied from: a new image, a deleted one with its files, and another name. */
function changeRecords(run: (sql: string) => void): void {
  run(`${insertImage(2010, 7)} UPDATE images SET deleted_at = 5 WHERE id = 2000; UPDATE galleries SET name = 'new' WHERE id = 7;
    DELETE FROM management_tokens WHERE digest = 'token of 2001';`)
}

function deployed(): Deployed {
  const api = new AccountApi({ address: cloudflare.api, token: 'token', retryMs: 0 })
  const files = s3Files(
    {
      ...{ bucket: BUCKET, folder: '', region: 'auto', addressing: 'path', hasConditionalPut: true },
      endpoint: new URL(cloudflare.api).origin,
      credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    },
    async (bytes) => createHash('md5').update(bytes).digest(),
  )
  const databases = NAMES.map((name) => cloudflare.databases.get(name)?.uuid ?? '')
  return { api, account: 'account', worker: 'my-tintype', databases, files: retryingFiles(files, 0) }
}

const OPTIONS: MoveOptions = { log: () => {}, settleMs: 0, pollMs: 0 }

function moveThere(data: string, waitForPause: (forbid: () => void) => Promise<void> = async () => {}) {
  return moveToCloudflare({ data, databases: DATABASES }, deployed(), { ...OPTIONS, waitForPause, operatorKey: KEY })
}

function moveBack(data: string) {
  return moveFromCloudflare({ data, databases: DATABASES }, deployed(), OPTIONS)
}

/** Fails where the deployment has not the records and files of a data folder. */
function expectSame(data: string): void {
  for (const [shard, file] of DATABASES.entries()) {
    const copy = join(work, `copy-${shard}.sqlite`)
    rmSync(copy, { force: true })
    execute(copy, cloudflare.databases.get(NAMES[shard] ?? '')?.database.dump() ?? '')
    expect(differences(join(data, file), copy)).toEqual([])
    const triggers = (one: string) => {
      const database = new DatabaseSync(one)
      const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY name").all()
      database.close()
      return rows
    }
    expect(triggers(copy)).toEqual(triggers(join(data, file)))
  }
  const local = readdirSync(join(data, 'files'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\/\d+_/.test(name),
  )
  const remote = cloudflare.objects.get(BUCKET) ?? new Map()
  expect([...remote.keys()].toSorted()).toEqual(local.toSorted())
  for (const key of local) expect(remote.get(key)?.bytes.equals(readFileSync(join(data, 'files', key))), key).toBe(true)
}

/** Fails from this request on: the process was killed after it. */
function killAfter(number: number): () => boolean {
  let killed = false
  cloudflare.requests.length = 0
  cloudflare.faultOf = (at) => {
    if (at < number) return undefined
    if (killed) return 'unreachable'
    killed = true
    return 'kill'
  }
  return () => {
    cloudflare.faultOf = undefined
    return killed
  }
}

function changeLocally(data: string): void {
  changeRecords((sql) => execute(join(data, DATABASES[0] ?? ''), sql))
  putFiles(data, 2010)
  for (const key of keysOf(2000)) {
    rmSync(join(data, 'files', key))
    rmSync(join(data, 'files', dirname(key), '.2000_a.png'))
  }
}

function changeRemotely(): void {
  changeRecords((sql) =>
    expect(cloudflare.databases.get(NAMES[0] ?? '')?.database.query(sql)).not.toHaveProperty('error'),
  )
  const bucket = cloudflare.objects.get(BUCKET)
  for (const key of keysOf(2010)) bucket?.set(key, { bytes: bytesOf(key), type: 'image/png', uploaded: new Date() })
  for (const key of keysOf(2000)) bucket?.delete(key)
}

describe('to Cloudflare', () => {
  test('carries over records, files, tokens and the state of operators, with what changes meanwhile', async () => {
    const data = makeData()
    const moved = await moveThere(data, async (forbid) => {
      expect(refusalOfMove(data, false)).toBe(undefined)
      changeLocally(data)
      forbid()
      expect(refusalOfMove(data, false)).toContain('the data is moving')
    })
    expectSame(data)
    expect(moved).toMatchObject({
      missing: [],
      damaged: [],
      files: 9,
      rows: { images: 4, management_tokens: 3, secrets: 1 },
    })
    const worker = cloudflare.workers.get('my-tintype')
    expect([...(worker?.secretTexts ?? [])]).toEqual([['OPERATOR_KEY', KEY]])
    const [original = '', thumbnail = '', preview = ''] = keysOf(PREVIEWED_ID)
    const typeOf = (key: string) => cloudflare.objects.get(BUCKET)?.get(key)?.type
    expect([original, thumbnail, preview].map(typeOf)).toEqual(['image/png', 'image/webp', 'image/jpeg'])
    expect(refusalOfMove(data, false)).toContain('the data moved to the Worker')
    expect(refusalOfMove(data, true)).toBe(undefined)
    await expect(moveThere(data)).rejects.toThrow('this move was done at')
    expect(cloudflare.unknown).toEqual([])
  })

  test('continues where it was killed, after any request', async () => {
    let killed = 0
    for (let number = 0; ; number++) {
      const own = makeData()
      const wasKilled = killAfter(number)
      let pauses = 0
      const change = async () => {
        if (pauses++ === 0 && !existsSync(join(own, 'files', keysOf(2010)[0] ?? ''))) changeLocally(own)
      }
      const ended = await moveThere(own, change).catch((error: unknown) => error)
      if (!wasKilled()) {
        expect(ended).toMatchObject({ missing: [] })
        break
      }
      killed++
      // After the last request it is done already.
      if (ended instanceof Error) {
        await moveThere(own, change).catch((error: Error) =>
          expect(error.message, `${number}`).toContain('was done at'),
        )
      }
      expectSame(own)
      expect(cloudflare.workers.get('my-tintype')?.secrets, `${number}`).not.toContain('READ_ONLY')
      cloudflare.objects.clear()
      resetRecords()
    }
    expect(killed).toBeGreaterThan(30)
  })

  test('killed before the Worker accepts changes, only lets it accept them', async () => {
    const data = makeData()
    cloudflare.faultOf = (_, operation) => (operation.startsWith('DELETE /workers') ? 'unreachable' : undefined)
    await expect(moveThere(data)).rejects.toThrow('does not respond')
    expect(refusalOfMove(data, false)).toContain('the data moved to the Worker')
    cloudflare.faultOf = undefined
    cloudflare.requests.length = 0
    await moveThere(data)
    expect(cloudflare.requests.map(({ operation }) => operation)).toEqual([
      'DELETE /workers/scripts/my-tintype/secrets/READ_ONLY',
    ])
    expectSame(data)
    await expect(moveThere(data)).rejects.toThrow('this move was done at')
  })

  test('copies a file again whose bytes arrived wrong, and names what the source lacks', async () => {
    const data = makeData()
    const [changed = '', lost = ''] = [keysOf(2001)[0], keysOf(2000)[1]]
    rmSync(join(data, 'files', lost))
    cloudflare.objects.set(
      BUCKET,
      new Map([[changed, { bytes: Buffer.from('other'), type: '', uploaded: new Date() }]]),
    )
    const moved = await moveThere(data)
    expect(moved).toMatchObject({ missing: [lost], damaged: [] })
    expect(cloudflare.objects.get(BUCKET)?.get(changed)?.bytes.equals(bytesOf(changed))).toBe(true)
  })

  test('refuses a deployment with images, another number of databases, or other migrations', async () => {
    const data = makeData()
    const run = (sql: string) => cloudflare.databases.get(NAMES[1] ?? '')?.database.query(sql)
    run(insertImage(1, null))
    await expect(moveThere(data)).rejects.toThrow('has 1 images')
    run("DELETE FROM management_tokens; DELETE FROM images; DELETE FROM d1_migrations WHERE name LIKE '0017%'")
    await expect(moveThere(data)).rejects.toThrow('same version')
    const [first = ''] = DATABASES
    const fewer = moveToCloudflare({ data, databases: [first] }, deployed(), {
      ...OPTIONS,
      waitForPause: async () => {},
      operatorKey: KEY,
    })
    await expect(fewer).rejects.toThrow('deploy with --shards 1')
    expect(cloudflare.workers.get('my-tintype')?.secrets).toEqual([])
  })
})

function resetRecords(): void {
  const uuids = NAMES.map((name) => cloudflare.databases.get(name)?.uuid ?? '')
  addTintype(cloudflare, 'my-tintype', NAMES[0] ?? '', BUCKET)
  addTintype(cloudflare, 'other', NAMES[1] ?? '', BUCKET)
  expect(NAMES.map((name) => cloudflare.databases.get(name)?.uuid)).toEqual(uuids)
  for (const name of NAMES) cloudflare.databases.get(name)?.database.query(SCHEMA)
}

describe('from Cloudflare', () => {
  /** Fills the deployment, and returns the data folder that it has the content of. */
  async function fill(): Promise<string> {
    const data = makeData()
    await moveThere(data)
    return data
  }

  test('carries over everything, with what changes meanwhile, and leaves the Worker read-only', async () => {
    await fill()
    const data = join(work, 'back')
    mkdirSync(data)
    let lists = 0
    // Before the last pass.
    cloudflare.faultOf = (_, operation) => {
      if (operation === 'PUT /workers/scripts/my-tintype/secrets' && lists++ === 0) changeRemotely()
      return undefined
    }
    const moved = await moveBack(data)
    expectSame(data)
    expect(moved).toMatchObject({ missing: [], rows: { images: 4, galleries: 1 } })
    expect(cloudflare.workers.get('my-tintype')?.secrets).toContain('READ_ONLY')
    expect(readdirSync(data).toSorted()).toEqual(['d1', 'files', 'layout.json', 'moving', 'shards.json'])
    expect(JSON.parse(readFileSync(join(data, 'layout.json'), 'utf8'))).toMatchObject({ shards: 2 })
    expect(refusalOfMove(data, false)).toBe(undefined)
  })

  test('continues where it was killed, after any request', async () => {
    await fill()
    let killed = 0
    for (let number = 0; ; number++) {
      const data = mkdtempSync(join(work, 'back-'))
      const wasKilled = killAfter(number)
      const ended = await moveBack(data).catch((error: unknown) => error)
      if (!wasKilled()) break
      killed++
      if (ended instanceof Error) {
        expect(refusalOfMove(data, false), `${number}`).toContain('not finished')
        await moveBack(data)
      }
      expectSame(data)
    }
    expect(killed).toBeGreaterThan(14)
  })

  test('refuses a folder with content, and a file that arrives with other bytes', async () => {
    await fill()
    const data = join(work, 'back')
    mkdirSync(data)
    writeFileSync(join(data, 'something'), '')
    await expect(moveBack(data)).rejects.toThrow('is not empty')
    rmSync(join(data, 'something'))
    const [key = ''] = keysOf(2001)
    const source = deployed()
    const wrong: Deployed = {
      ...source,
      files: {
        ...source.files,
        read: async (one) => {
          const found = await source.files.read(one)
          const body = new Response(bytesOf(key).map((byte: number) => byte ^ 1)).body
          return found && one === key && body ? { ...found, body } : found
        },
      },
    }
    const local = { data, databases: DATABASES }
    await expect(moveFromCloudflare(local, wrong, OPTIONS)).rejects.toThrow(`${key} arrived with another MD5`)
    await moveFromCloudflare(local, source, OPTIONS)
    expectSame(data)
  })
})
