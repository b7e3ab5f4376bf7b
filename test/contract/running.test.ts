import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { apiAt, mayStartServices } from './support/api.ts'
import { databaseFile } from './support/database.ts'
import { freePort, type Service, startService, temporaryData } from './support/service.ts'
import { createGallery, LEAST_IMAGE, statusOf, uploadImage } from './support/steps.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** D1: `--port`, `--domains`, and a clean end by SIGTERM. */
describe.skipIf(!mayStartServices())('the start command (needs services of its own)', () => {
  test('other public domains, without which localhost is unknown; contacts for security problems', async () => {
    const service = await startService({
      byCommand: true,
      domains: ['first.example', 'second.example'],
      securityContact: 'safe@pics.example,https://pics.example/safe',
    })
    const api = apiAt(service.baseUrl)
    const host = `localhost:${service.port}`
    expect((await uploadImage(api, {}, { host: 'api.second.example' })).showUrl).toMatch(/^https:\/\/second\.example\//)
    expect((await uploadImage(api, {}, { host: 'one.example' })).showUrl).toMatch(/^https:\/\/first\.example\//)
    const { showUrl } = await uploadImage(api, {}, { host })
    expect(showUrl).toMatch(/^https:\/\/first\.example\//)
    const path = new URL(showUrl).pathname
    expect(await statusOf(api, showUrl)).toBe('available')
    expect(await statusOf(api, `https://one.example${path}`)).toBe('invalid')
    expect(await statusOf(api, `http://${host}${path}`)).toBe('invalid')
    expect((await createGallery(api, '', { host: 'www.second.example' })).url).toMatch(/^https:\/\/second\.example\//)

    const { text } = await api.follow('https://first.example/.well-known/security.txt')
    expect(text.match(/^Contact: .*$/gm)).toEqual([
      'Contact: mailto:safe@pics.example',
      'Contact: https://pics.example/safe',
    ])
    expect(await service.stop()).toBe(0)
    expect(await listens(service.port)).toBe(false)
  })

  test('the first response follows the migrations, on a new folder and on one that lacks some', async () => {
    const data = await temporaryData({ isEmpty: true })
    const responses: number[][] = []
    for (const prepare of [() => {}, () => asOfFirstMigration(data.path)]) {
      prepare()
      const port = await freePort()
      let isServing = false
      const asked = Array.from({ length: 2 }, () => statusesUntil(port, () => isServing))
      const service = await startService({ port, data: data.path })
      isServing = true
      responses.push((await Promise.all(asked)).flat())
      await service.stop()
    }
    for (const statuses of responses) expect(new Set(statuses)).toEqual(new Set([200]))
    await data.remove()
  })

  test('nothing runs except npm start, the service and workerd; a second one on its data exits, and a kill releases them', async () => {
    const data = await temporaryData({ isEmpty: true })
    const first = await startService({ byCommand: true, data: data.path })
    if (process.platform === 'linux') expectNothingElseRuns(first)
    await expect(startService({ byCommand: true, data: data.path })).rejects.toThrow(
      `ended with code 1 before it served; it printed:\n${data.path} is in use by another Tintype: `,
    )
    expect((await uploadImage(apiAt(first.baseUrl))).showUrl).toContain('/show/')
    await first.kill()
    // Other databases do not know of it.
    const [next, other] = await Promise.all([startService({ byCommand: true, data: data.path }), startService()])
    const { showUrl } = await uploadImage(apiAt(next.baseUrl))
    expect(await statusOf(apiAt(next.baseUrl), showUrl)).toBe('available')
    expect(await statusOf(apiAt(other.baseUrl), showUrl)).toBe('not_found')
    await Promise.all([next.stop(), other.stop()])
    if (process.platform === 'linux') expect(processesWith(String(next.port))).toEqual([])
    await data.remove()
  })

  test.skipIf(process.platform !== 'linux')(
    'data in a folder without write access ends the command with a sentence',
    async () => {
      await expect(startService({ byCommand: true, data: '/proc/x' })).rejects.toThrow(
        /ended with code 1 before it served; it printed:\n--data must be a folder that can be written: E[A-Z]+: .*\n$/,
      )
      for (const data of ['/proc/x/y', '/proc', '/dev/null', '/dev/null/x']) {
        await expect(startService({ data }), data).rejects.toThrow(
          /^--data must be a folder that can be written: E[A-Z]+: .*$/,
        )
      }
    },
  )
})

const PROGRAMS = ['/tools/serve/start.ts', '/tools/serve/serve.ts', '/workerd '] as const

/** Expects one process of each program, without a build or helper. Process ids wrap, so their order means nothing. */
function expectNothingElseRuns({ port }: Service): void {
  const found = processesWith(String(port))
  const programs = found.map((command) => PROGRAMS.find((program) => command.includes(program)))
  expect(programs.toSorted(), found.join('\n')).toEqual(PROGRAMS.toSorted())
}

/** Requests uploads and pages without a pause, until the service serves. Returns their statuses. */
async function statusesUntil(port: number, isServing: () => boolean): Promise<number[]> {
  const api = apiAt(`http://127.0.0.1:${port}`)
  const statuses: number[] = []
  for (let left = 3; left > 0; ) {
    if (isServing()) left--
    try {
      const asked = [
        await api.uploadImage(LEAST_IMAGE),
        await api.createGallery({}),
        await api.follow('http://localhost/'),
      ]
      statuses.push(...asked.map(({ status }) => status))
    } catch {
      // Nothing listens yet.
      await wait(20)
    }
  }
  return statuses
}

/** Replaces the database of a data folder by an empty one with only the first migration. */
function asOfFirstMigration(data: string): void {
  const file = databaseFile(data)
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true })
  const db = new DatabaseSync(file)
  db.exec(readFileSync(join(MIGRATIONS, '0001_initial.sql'), 'utf8'))
  db.exec(`CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    INSERT INTO d1_migrations (name) VALUES ('0001_initial.sql')`)
  db.close()
}

/** Returns the command lines of the process group of the process with this argument. */
function processesWith(argument: string): string[] {
  const processes = readdirSync('/proc')
    .filter((entry) => /^[0-9]+$/.test(entry))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
        const [, , group = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
        return [{ group, command }]
      } catch {
        // The process has ended in the meantime.
        return []
      }
    })
  const groups = new Set(processes.filter(({ command }) => command.includes(argument)).map(({ group }) => group))
  return processes.filter(({ group }) => groups.has(group)).map(({ command }) => command.join(' '))
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
