import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSnapshot } from '../../tools/operate/read-snapshot.ts'
import { forgetSnapshots, listSnapshots } from '../../tools/operate/snapshots.ts'
import { takeSnapshot } from '../../tools/operate/take-snapshot.ts'
import { findDatabases, withDatabase } from '../../tools/serve/data/stored-data.ts'
import { openFilesOnDisk } from '../../tools/serve/data/stored-files.ts'
import { seededRandom } from '../support/random.ts'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { runCommand } from './support/command.ts'
import { CrashClient } from './support/crash-clients.ts'
import { plain, png } from './support/images.ts'
import { refuseTokens } from './support/issued-tokens.ts'
import { file } from './support/multipart-body.ts'
import type { Uploaded } from './support/responses.ts'
import { freePort, type Service, startService, temporaryData } from './support/service.ts'
import { galleryWithImage, statusOf, uploadCover, uploadImage } from './support/steps.ts'

const HOUR_MS = 3_600_000
const CLIENTS = 4
const KEYED = { headers: { 'idempotency-key': 'before-the-backup' } }
const seed = Number(process.env.TINTYPE_SEED ?? Math.floor(Math.random() * 2 ** 31))

describe.skipIf(!mayStartServices())('npm run backup and restore (need services of their own)', () => {
  let work: Awaited<ReturnType<typeof temporaryData>>
  let service: Service
  let api: Api
  const folder = (name: string) => join(work.path, name)
  /** Returns the path of an original in the data. */
  function pathOf({ originalUrl }: Uploaded): string | undefined {
    const files = openFilesOnDisk(folder('data'))
    try {
      return files.find(new URL(originalUrl).pathname.slice(1))?.filePath
    } finally {
      files.close()
    }
  }
  const backUp = (name: string, ...more: string[]) =>
    runCommand('backup', [folder(name), '--data', folder('data'), ...more])
  const restore = (name: string, data: string, ...more: string[]) =>
    runCommand('restore', [folder(name), '--data', folder(data), ...more])

  beforeAll(async () => {
    work = await temporaryData()
    service = await startService({ byCommand: true, data: folder('data'), shards: 2 })
    api = apiAt(service.baseUrl)
  })
  afterAll(async () => {
    await service.stop()
    refuseTokens({ folders: [work.path] })
    await work.remove()
  })

  test(`taken under load and restored, every earlier link works, and no record lacks a file (seed ${seed})`, async () => {
    const bytes = await png(plain(40, 30, [1, 2, 3]))
    const alone = await uploadImage(api, { img: file('alone.png', bytes), include_manage_url: '1' })
    const keyed = await uploadImage(api, { include_manage_url: '1' }, KEYED)
    const cover = await uploadCover(api)
    const shown = await galleryWithImage(api, { finalized: true, name: 'Shown' })
    const open = await galleryWithImage(api)
    // The restored service is two hours later.
    const [expired, expiring] = [
      await uploadImage(api, { expires_in: '3600' }),
      await uploadImage(api, { expires_in: '86400' }),
    ]
    const deleted = await uploadImage(api, { include_manage_url: '1' })
    await api.remove(deleted.managementToken)
    const deletedGallery = await galleryWithImage(api, { finalized: true })
    await api.remove(deletedGallery.gallery.managementToken)
    const clients = Array.from({ length: CLIENTS }, (_, n) => new CrashClient(n + 1, seededRandom(seed + n)))
    const working = Promise.all(clients.map((client) => client.work(service.baseUrl)))
    const acknowledged = () => clients.reduce((sum, client) => sum + client.acknowledged, 0)
    await expect.poll(acknowledged).toBeGreaterThan(40)

    const first = await backUp('load')
    expect(first, first.stderr).toMatchObject({ code: 0, stderr: '' })
    const second = await backUp('load')
    const [, files, copied] = /: (\d+) files, \d+ bytes \((\d+) copied now/.exec(second.stdout) ?? []
    expect(Number(copied), second.stdout).toBeLessThan(Number(files))
    await service.kill()
    await working
    expect(clients.flatMap(({ problems }) => problems)).toEqual([])

    const restored = await restore('load', 'restored')
    expect(restored, restored.stderr).toMatchObject({ code: 0 })
    const port = await freePort()
    const again = await startService({ port, data: folder('restored'), clockOffsetMs: 2 * HOUR_MS })
    const there = apiAt(again.baseUrl)
    expect((await there.follow(alone.originalUrl)).bytes.equals(bytes)).toBe(true)
    const live = [alone, keyed, cover, shown.image, expiring]
    for (const { showUrl, thumbnailUrl, originalUrl } of live) {
      expect(await statusOf(there, showUrl)).toBe('available')
      for (const link of [showUrl, thumbnailUrl, originalUrl]) expect((await there.follow(link)).status).toBe(200)
    }
    expect((await there.follow(shown.gallery.url)).text).toContain(new URL(shown.image.showUrl).pathname)
    expect(await uploadImage(there, { include_manage_url: '1' }, KEYED)).toEqual(keyed)
    expect(await statusOf(there, open.image.showUrl)).toBe('pending')
    await uploadImage(there, open.gallery.fields)
    expect((await there.finalize(open.gallery.hash, open.gallery.uploadToken)).status).toBe(200)
    for (const { showUrl, originalUrl } of [deleted, deletedGallery.image]) {
      expect(await statusOf(there, showUrl)).toBe('deleted')
      expect((await there.follow(originalUrl)).status).toBe(404)
    }
    expect((await there.get(`/manage/${deleted.managementToken}`)).status).toBe(410)
    expect(await statusOf(there, expired.showUrl)).toBe('deleted')
    expect((await there.follow(expired.originalUrl)).status).toBe(410)
    const { expires_at } = JSON.parse((await there.follow(`${expiring.showUrl}.json`)).text)
    expect(expires_at).toBe(expiring.fields.expires_at)
    const compared = await runCommand('reconcile', ['--port', String(port), '--data', folder('restored'), '--json'])
    const counts = JSON.parse(compared.stdout.trimEnd().split('\n').at(-1) ?? '')
    expect(counts).toMatchObject({ orphans: 0, missing: 0, unrecognized: 0 })
    expect(counts.records).toBeGreaterThan(5)
    expect((await there.remove(alone.managementToken)).status).toBe(200)
    const refused = await restore('load', 'restored', '--replace')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is in use by a running Tintype')])
    await again.stop()
    service = await startService({ data: folder('data') })
    api = apiAt(service.baseUrl)
  })

  test('content that is deleted or uploaded during the copy is complete or absent', async () => {
    const image = () => uploadImage(api, { include_manage_url: '1' })
    const images = [await image(), await image(), await image()]
    const { facts: earlier } = await takeSnapshot(folder('data'), folder('earlier'))
    const isStored = (one: Uploaded) => pathOf(one) !== undefined
    expect(images.filter(isStored)).toEqual(images)
    const { name, facts, rounds } = await takeSnapshot(folder('data'), folder('race'), {
      onDatabases: async (round) => {
        if (round > 1) return
        for (const { managementToken } of images) await api.remove(managementToken)
        await expect.poll(() => images.filter(isStored)).toEqual([])
        await uploadImage(api)
      },
    })
    expect(rounds).toBe(2)
    expect(facts).toMatchObject({ missing: [], files: earlier.files - 2 * images.length + 2 })
    expect(await readSnapshot(folder('race'), name)).toMatchObject(facts)
  })

  test('a file that the service has lost, or that has changed, is reported, and everything else is backed up', async () => {
    const [lost, changed] = [await uploadImage(api), await uploadImage(api)]
    const [lostPath, changedPath] = [pathOf(lost) ?? '', pathOf(changed) ?? '']
    rmSync(lostPath)
    const bytes = readFileSync(changedPath)
    writeFileSync(changedPath, Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])]))
    const { code, stderr } = await backUp('lost')
    expect(code).toBe(1)
    expect(stderr).toContain(`missing in the service: ${new URL(lost.originalUrl).pathname.slice(1)}\n`)
    expect(stderr).toContain(`not what was stored, in the service: ${new URL(changed.originalUrl).pathname.slice(1)}\n`)
    expect((await restore('lost', 'unused', '--check')).code).toBe(0)
    writeFileSync(changedPath, bytes)
  })

  test('only the newest backups are stored, with only their files', async () => {
    const files = () => readdirSync(join(folder('kept'), 'blobs'), { recursive: true }).length
    const take = () => takeSnapshot(folder('data'), folder('kept'))
    await take()
    await forgetSnapshots(folder('kept'), 1)
    const without = files()
    const { managementToken } = await uploadImage(api, { include_manage_url: '1' })
    expect((await take()).copied).toBe(2)
    await api.remove(managementToken)
    await take()
    expect(await forgetSnapshots(folder('kept'), 2)).toBe(1)
    expect(files()).toBeGreaterThan(without)
    expect(await forgetSnapshots(folder('kept'), 1)).toBe(1)
    const [left = '', ...others] = listSnapshots(folder('kept'))
    expect(others).toEqual([])
    await expect(readSnapshot(folder('kept'), left)).resolves.toMatchObject({ format: 2 })
    const blobs = readdirSync(join(folder('kept'), 'blobs'), { recursive: true, encoding: 'utf8' })
    expect(blobs.filter((name) => name.includes('/'))).toHaveLength((await readSnapshot(folder('kept'), left)).files)
  })

  test('a damaged backup is not restored', async () => {
    const [newest = ''] = listSnapshots(folder('race'))
    const index = join(folder('race'), 'snapshots', newest, 'files.sqlite')
    // Not of a preview, without which an image is restored.
    const anyOriginal = "SELECT blob FROM backup_files WHERE key LIKE 'images/%'"
    const blob = withDatabase(index, (database) => String(database.prepare(anyOriginal).get()?.blob))
    const blobPath = join(folder('race'), 'blobs', blob.slice(0, 2), blob)
    const bytes = readFileSync(blobPath)
    writeFileSync(blobPath, Buffer.concat([bytes.subarray(1), Buffer.from([0])]))
    const changed = await restore('race', 'of-changed')
    expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining(`${blob} is not what was backed up`)])
    expect(readdirSync(work.path)).not.toContain('of-changed')
    rmSync(blobPath)
    const checked = await restore('race', 'unused', '--check')
    expect([checked.code, checked.stderr]).toEqual([1, expect.stringContaining(`${blob} is missing`)])

    const skipped = await restore('race', 'of-changed', '--skip-damaged')
    expect(skipped, skipped.stderr).toMatchObject({ code: 0 })
    const [, address = ''] = /^left out: (\/show\/\S+)/.exec(skipped.stderr) ?? []
    const without = await startService({ data: folder('of-changed') })
    const there = apiAt(without.baseUrl)
    expect(await statusOf(there, without.baseUrl + address)).toBe('deleted')
    for (const kind of ['show', 'images', 'thumbs']) {
      expect((await there.follow(without.baseUrl + address.replace('show', kind))).status, kind).toBe(404)
    }
    await without.stop()
    writeFileSync(blobPath, bytes)
  })

  test('a folder with content is replaced only on request, and its content is moved aside', async () => {
    const refused = await restore('race', 'restored')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is not empty')])
    const key = readFileSync(join(folder('restored'), 'operator.key'))
    const replaced = await restore('race', 'restored', '--replace')
    expect(replaced, replaced.stderr).toMatchObject({ code: 0 })
    const [aside = ''] = readdirSync(folder('restored')).filter((name) => name.startsWith('replaced-'))
    expect(readFileSync(join(folder('restored'), aside, 'operator.key'))).toEqual(key)
    expect(readdirSync(folder('restored')).toSorted()).toEqual([
      'd1',
      'files',
      'layout.json',
      'operator.key',
      aside,
      'service.lock',
      'shards.json',
    ])
  })

  test('each of several databases is copied', () => {
    const databases = findDatabases(folder('restored'))
    expect(databases).toHaveLength(2)
    expect(databases).toEqual(findDatabases(folder('data')))
  })

  test('no service starts on a folder with an interrupted restore', async () => {
    writeFileSync(join(folder('restored'), 'restore.incomplete'), '')
    // Left by a power cut during the write of the marker.
    writeFileSync(join(folder('restored'), 'restore.incomplete.new'), '')
    await expect(startService({ data: folder('restored') })).rejects.toThrow('was cut off: repeat npm run restore')
    expect((await restore('race', 'restored', '--replace')).code).toBe(0)
    expect(readdirSync(folder('restored'))).not.toContain('restore.incomplete')
  })

  test.each([
    ['backup', [], 'name one folder for the backups'],
    ['backup', ['data/backups'], 'lies in the data folder'],
    ['backup', ['new', '--keep', '0'], '--keep must be a whole number'],
    ['restore', ['new'], 'holds no backup'],
    ['restore', ['race', '--at', 'x'], 'holds no backup "x": it has 2'],
  ])('%s %j is rejected with a sentence', async (command, [name, ...more], sentence) => {
    const named = name === undefined ? [] : [folder(name)]
    const { code, stderr } = await runCommand(command, [...named, '--data', folder('data'), ...more])
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
  })

  test('a folder without data has no backup', async () => {
    const { code, stderr } = await runCommand('backup', [folder('new'), '--data', folder('nothing')])
    expect([code, stderr]).toEqual([1, expect.stringContaining('holds no database: name the data folder')])
  })
})
