import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiAt, mayStartServices } from './support/api.ts'
import { type Ended, runCommand } from './support/command.ts'
import { inDatabase } from './support/database.ts'
import { freePort, type Service, startService, temporaryData } from './support/service.ts'
import { galleryWithImage, uploadImage } from './support/steps.ts'

const DAY_MS = 86_400_000

/** The key of a picture's file: the path of its link. */
const keyOf = (link: string) => new URL(link).pathname.slice(1)

/** `npm run reconcile` as the operator runs it, on data with which something is wrong. */
describe.skipIf(!mayStartServices())('npm run reconcile (needs services of its own)', () => {
  let data: { path: string; remove: () => Promise<void> }
  /** A day after the uploads. */
  let service: Service
  /** Of a picture whose record is lost. */
  let orphans: string[]
  /** Of a record that is there without its files. */
  let missing: string[]
  let kept: string[]
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
    kept = [image, alone].flatMap(({ originalUrl, thumbnailUrl }) => [originalUrl, thumbnailUrl])
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

  test('a service that does not run is started meanwhile; what is too young is left alone', () => {
    const { code, stdout, stderr } = whileStopped
    expect(stderr).toBe(
      `no answer from http://localhost:${unusedPort}: is the service running? (ECONNREFUSED): starting it for now\n`,
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
      ...{ due: 0, too_young: 2, next: null },
    })
  })

  test('a report says what does not fit, and changes nothing', async () => {
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
      'Everything was looked at.',
    ])
    expect(await reconcile()).toEqual(first)
  })

  test('it goes on where it stopped: by --after, and by a file that keeps the place', async () => {
    const whole = linesOf((await reconcile()).stdout).slice(0, 4)
    const folder = await mkdtemp(join(tmpdir(), 'tintype-reconcile-'))
    const state = join(folder, 'place')
    const [byPlace, byFile]: [string[], string[]] = [[], []]
    const places: string[] = []
    for (let after: string[] = []; ; ) {
      const told = linesOf((await reconcile('--limit', '4', ...after)).stdout)
      expect(linesOf((await reconcile('--limit', '4', '--state', state)).stdout)).toEqual(told)
      byPlace.push(...told.slice(0, -2))
      byFile.push(...told.slice(0, -2))
      const [, place] = /^Go on with --after '(.*)'$/.exec(told.at(-1) ?? '') ?? []
      if (place === undefined) break
      expect(await readFile(state, 'utf8')).toBe(`${place}\n`)
      places.push(place)
      after = ['--after', place]
    }
    expect(byPlace).toEqual(whole)
    expect(byFile).toEqual(whole)
    expect(places).toHaveLength(2)
    // Done: the next one begins anew.
    await expect(readFile(state)).rejects.toThrow('ENOENT')
    await rm(folder, { recursive: true })
  })

  test('--remove removes the orphans, and nothing else', async () => {
    const { stdout } = await reconcile('--remove')
    expect(stdout.match(/^orphan .*, removed$/gm)).toHaveLength(2)
    expect(stdout).toContain('2 orphans (2 removed), 2 missing')
    expect((await reconcile('--remove')).stdout).toContain('4 files and 3 records: 0 orphans, 2 missing')
    const api = apiAt(service.baseUrl)
    for (const link of kept) expect((await api.follow(link)).status).toBe(200)
  })

  test('a deployed service is asked by its key, and a place that is none is a sentence', async () => {
    const key = (await readFile(join(data.path, 'operator.key'), 'utf8')).trim()
    const asked = (...args: string[]) =>
      runCommand('reconcile', ['--url', service.baseUrl, ...args], { TINTYPE_OPERATOR_KEY: key })
    expect((await asked()).stdout).toContain('4 files and 3 records')
    expect(await asked('--after', 'nowhere')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('after must be what an earlier answer has as next (status 422)'),
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

  test('a file that cannot keep the place is a sentence', async () => {
    const file = join(data.path, 'file')
    await writeFile(file, '')
    expect(await reconcile('--state', join(file, 'place'))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^--state: ENOTDIR/),
    })
  })
})
