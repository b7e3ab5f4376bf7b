import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSnapshot } from '../../tools/operate/read-snapshot.ts'
import { listSnapshots } from '../../tools/operate/snapshots.ts'
import { takeSnapshot } from '../../tools/operate/take-snapshot.ts'
import { apiAt, mayStartServices } from './support/api.ts'
import { type Ended, runCommand } from './support/command.ts'
import { inDatabase } from './support/database.ts'
import { freePort, type Service, startService, temporaryData } from './support/service.ts'
import { galleryWithImage, uploadImage } from './support/steps.ts'

const DAY_MS = 86_400_000

/** Returns the key of an image's file: the path of its link. */
const keyOf = (link: string) => new URL(link).pathname.slice(1)

/** `npm run reconcile` as the operator runs it, on inconsistent data. */
describe.skipIf(!mayStartServices())('npm run reconcile (needs services of its own)', () => {
  let data: { path: string; remove: () => Promise<void> }
  /** Its clock is a day after the uploads. */
  let service: Service
  /** Of an image whose record is lost. */
  let orphans: string[]
  /** Of a record without its files. */
  let missing: string[]
  let stored: string[]
  let unusedPort: number
  let whileStopped: Ended

  beforeAll(async () => {
    data = await temporaryData()
    const first = await startService({ data: data.path })
    const api = apiAt(first.baseUrl)
    const lost = await uploadImage(api)
    const { image } = await galleryWithImage(api, { finalized: true })
    const alone = await uploadImage(api)
    await first.stop()
    orphans = [lost.originalUrl, lost.thumbnailUrl].map(keyOf)
    stored = [image, alone].flatMap(({ originalUrl, thumbnailUrl }) => [originalUrl, thumbnailUrl])
    const [, id = ''] = /\/(\d+)_/.exec(lost.showUrl) ?? []
    inDatabase(data.path, (database) => database.exec(`UPDATE images SET id = id - 1 WHERE id = ${id}`))
    missing = orphans.map((key) => key.replace(id, String(Number(id) - 1)))
    unusedPort = await freePort()
    const args = ['--port', String(unusedPort), '--data', data.path, '--json', '--remove']
    whileStopped = await runCommand('reconcile', args)
    service = await startService({ data: data.path, clockOffsetMs: DAY_MS })
  }, 240_000)

  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  const reconcile = (...args: string[]) =>
    runCommand('reconcile', ['--port', String(service.port), '--data', data.path, ...args])

  const linesOf = (stdout: string) => stdout.trimEnd().split('\n')

  test('a stopped service is started for the comparison; recent uploads are left alone', () => {
    const { code, stdout, stderr } = whileStopped
    expect(stderr).toBe(
      `no response from http://localhost:${unusedPort}: is the service running? (ECONNREFUSED): starting it for now\n`,
    )
    expect(code).toBe(0)
    const [summary, ...findings] = linesOf(stdout)
      .map((line) => JSON.parse(line))
      .toReversed()
    expect(findings.toReversed()).toEqual(
      missing.map((key) => ({ finding: 'missing', key, url: expect.stringMatching(/\/show\//) })),
    )
    expect(summary).toEqual({
      ...{ files: 6, records: 3, orphans: 0, removed: 0, unrecognized: 0, missing: 2 },
      ...{ due: 0, too_young: 2, unavailable_shards: [], next: null },
    })
  })

  test('the report lists inconsistencies, and changes nothing', async () => {
    const first = await reconcile()
    const found = linesOf(first.stdout)
    expect(found.slice(0, 4)).toEqual([
      ...orphans.map((key) =>
        expect.stringMatching(new RegExp(String.raw`^orphan ${key} \(\d+ bytes, \d{4}-\d\d-\d\d \d\d:\d\d UTC\)$`)),
      ),
      ...missing.map((key) => expect.stringMatching(new RegExp(`^missing ${key} of http\\S+/show/\\d+/\\S+$`))),
    ])
    expect(found.slice(4)).toEqual([
      '6 files and 3 records: 2 orphans, 2 missing, 0 unrecognized; 0 due to be swept, 0 too young to tell.',
      'Everything was compared.',
    ])
    expect(await reconcile()).toEqual(first)
  })

  test('it continues where it stopped: by --after, and by a state file with the cursor', async () => {
    const whole = linesOf((await reconcile()).stdout).slice(0, 4)
    const folder = await mkdtemp(join(tmpdir(), 'tintype-reconcile-'))
    const state = join(folder, 'place')
    const [byCursor, byFile]: [string[], string[]] = [[], []]
    const cursors: string[] = []
    for (let after: string[] = []; ; ) {
      const told = linesOf((await reconcile('--limit', '4', ...after)).stdout)
      expect(linesOf((await reconcile('--limit', '4', '--state', state)).stdout)).toEqual(told)
      byCursor.push(...told.slice(0, -2))
      byFile.push(...told.slice(0, -2))
      const [, cursor] = /^Go on with --after '(.*)'$/.exec(told.at(-1) ?? '') ?? []
      if (cursor === undefined) break
      expect(await readFile(state, 'utf8')).toBe(`${cursor}\n`)
      cursors.push(cursor)
      after = ['--after', cursor]
    }
    expect(byCursor).toEqual(whole)
    expect(byFile).toEqual(whole)
    expect(cursors).toHaveLength(2)
    // After the end, the next run starts again.
    await expect(readFile(state)).rejects.toThrow('ENOENT')
    await rm(folder, { recursive: true })
  })

  test('--remove removes the orphans, and nothing else', async () => {
    const { stdout } = await reconcile('--remove')
    expect(stdout.match(/^orphan .*, removed$/gm)).toHaveLength(2)
    expect(stdout).toContain('2 orphans (2 removed), 2 missing')
    expect((await reconcile('--remove')).stdout).toContain('4 files and 3 records: 0 orphans, 2 missing')
    const api = apiAt(service.baseUrl)
    for (const link of stored) expect((await api.follow(link)).status).toBe(200)
  })

  test('the key reads a deployed service, and an invalid cursor is reported with a sentence', async () => {
    const key = (await readFile(join(data.path, 'operator.key'), 'utf8')).trim()
    const asked = (...args: string[]) =>
      runCommand('reconcile', ['--url', service.baseUrl, ...args], { TINTYPE_OPERATOR_KEY: key })
    expect((await asked()).stdout).toContain('4 files and 3 records')
    expect(await asked('--after', 'nowhere')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('after must be the next of an earlier response (status 422)'),
    })
  })

  test.for([
    ['a limit of nothing', ['--limit', '0'], /--limit must be a number of files and records: received "0"/],
    ['two places', ['--after', 'x', '--state', 'y'], /give one of them/],
    ['a word more', ['all'], /Usage: npm run reconcile/],
    ['a deployed host without its key', ['--url', 'https://one.example'], /set TINTYPE_OPERATOR_KEY/],
  ] as const)('%s ends with 2', async ([, args, sentence]) => {
    expect(await runCommand('reconcile', args)).toMatchObject({
      ...{ code: 2, stdout: '' },
      stderr: expect.stringMatching(sentence),
    })
  })

  test('a state file that cannot be written is reported with a sentence', async () => {
    const file = join(data.path, 'file')
    await writeFile(file, '')
    expect(await reconcile('--state', join(file, 'place'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^--state: ENOTDIR/),
    })
  })
})

/** `npm run reconcile -- --verify` and `npm run restore -- --only`, beside a running service. */
describe.skipIf(!mayStartServices() || process.env.TINTYPE_TEST_FILES)(
  'damaged files (needs files on the disk)',
  () => {
    test('changed and missing files are listed; a backup restores these alone', async () => {
      const data = await temporaryData()
      const backups = `${data.path}-backup`
      const service = await startService({ data: data.path })
      const api = apiAt(service.baseUrl)
      const [one, two, deleted] = [
        await uploadImage(api),
        await uploadImage(api),
        await uploadImage(api, { include_manage_url: '1' }),
      ]
      const pathOf = (link: string) => join(data.path, 'files', keyOf(link))
      const command = (name: string, ...args: string[]) => runCommand(name, [...args, '--data', data.path])
      const verify = (...more: string[]) => command('reconcile', '--verify', '--port', String(service.port), ...more)
      const putBack = (link: string) => command('restore', backups, '--only', link)
      const clean = await verify('--json')
      expect(clean, clean.stderr).toMatchObject({ code: 0 })
      expect(JSON.parse(clean.stdout)).toMatchObject({ verified: 6, unverifiable: 0, damaged: 0, missing: 0 })
      expect(await command('backup', backups)).toMatchObject({ code: 0, stderr: '' })
      await api.remove(deleted.managementToken)

      const bytes = await readFile(pathOf(one.originalUrl))
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(20) ^ 1, 20)
      await writeFile(pathOf(one.originalUrl), changed)
      // The service now caches it.
      expect((await api.follow(one.originalUrl)).bytes).toEqual(changed)
      const thumbnail = await readFile(pathOf(two.thumbnailUrl))
      await rm(pathOf(two.thumbnailUrl))
      const found = await verify()
      expect(found.code).toBe(1)
      expect(found.stdout.split('\n').slice(0, 2)).toEqual([
        expect.stringMatching(
          new RegExp(`^damaged ${keyOf(one.originalUrl)} of \\S+/show/\\S+: its CRC-32 is another$`),
        ),
        expect.stringMatching(new RegExp(`^missing ${keyOf(two.thumbnailUrl)} of \\S+/show/\\S+$`)),
      ])

      const later = `${data.path}-later`
      expect((await takeSnapshot(data.path, later)).damaged).toEqual([keyOf(one.originalUrl)])
      expect(await command('restore', later, '--only', one.originalUrl)).toMatchObject({ code: 1, stdout: '' })

      expect(await putBack(one.showUrl)).toMatchObject({
        ...{ code: 0, stderr: '' },
        stdout: expect.stringMatching(
          new RegExp(
            `^${keyOf(one.originalUrl)} is put back, .*\\n${keyOf(one.thumbnailUrl)} is as it was stored: left alone\\n$`,
          ),
        ),
      })
      expect(await putBack(keyOf(two.thumbnailUrl))).toMatchObject({ code: 0, stderr: '' })
      expect(await readFile(pathOf(one.originalUrl))).toEqual(bytes)
      expect(await readFile(pathOf(two.thumbnailUrl))).toEqual(thumbnail)
      expect(await verify()).toMatchObject({ code: 0 })
      expect((await api.follow(one.originalUrl)).bytes).toEqual(bytes)
      expect((await putBack(two.showUrl)).stdout.match(/left alone/g)).toHaveLength(2)

      // A backup with the damaged file copies it again.
      expect((await takeSnapshot(data.path, later)).damaged).toEqual([])
      const [, whole = ''] = listSnapshots(later)
      await readSnapshot(later, whole)
      await rm(pathOf(one.originalUrl))
      expect(await command('restore', later, '--only', one.originalUrl)).toMatchObject({ code: 0, stderr: '' })
      expect(await readFile(pathOf(one.originalUrl))).toEqual(bytes)
      await rm(later, { recursive: true })

      // Deleted files stay deleted, and a damaged copy is not restored.
      expect(await putBack(deleted.showUrl)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('may be deleted'),
      })
      await writeFile(pathOf(one.originalUrl), changed)
      await damageAll(join(backups, 'blobs'))
      expect(await putBack(one.originalUrl)).toMatchObject({
        ...{ code: 1, stdout: '' },
        stderr: `${keyOf(one.originalUrl)}: no backup has it as it was stored\n`,
      })
      expect(await readFile(pathOf(one.originalUrl))).toEqual(changed)
      expect(await putBack('https://one.example/gallery/x')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('--only must be'),
      })
      await service.stop()
      await rm(backups, { recursive: true })
      await data.remove()
    })
  },
)

/** Changes the first byte of each file. */
async function damageAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const file = join(entry.parentPath, entry.name)
    const bytes = await readFile(file)
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
    await writeFile(file, bytes)
  }
}
