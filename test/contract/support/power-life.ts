import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { idsOf, readLocalService } from '../../../tools/build/build.ts'
import { databasePath } from '../../../tools/serve/data/stored-data.ts'
import type { FileSystem } from '../../../tools/verify/simulated-disk.ts'
import { below, pick, type Random } from '../../support/random.ts'
import { apiAt } from './api.ts'
import { runCommand } from './command.ts'
import { CrashClient } from './crash-clients.ts'
import { makeOldData } from './old-data.ts'
import { PowerDisk } from './power-disk.ts'
import type { Survival } from './power-disk-process.ts'
import {
  type KillableService,
  NOTHING_AMISS,
  type ProcessGroup,
  runGroup,
  startGroup,
  waitForBacklog,
} from './process-group.ts'
import { freePort } from './service.ts'
import { LEAST_IMAGE } from './steps.ts'

const CLIENTS = 8
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const MIGRATIONS = join(import.meta.dirname, '../../../migrations')

/** The work during which the power is cut. */
export type Moment = 'first start' | 'load' | 'backup' | 'restore' | 'migration' | 'takeover'

/** One life of a machine, from an empty disk on. The restore needs the backup before it. */
export const WHOLE_LIFE: readonly Moment[] = [
  'first start',
  'load',
  'load',
  'backup',
  'load',
  'restore',
  'load',
  'migration',
  'load',
  'takeover',
]

/** The maximum number of writes and flushes before a cut, until measured values replace it. */
const REQUESTS: Record<Moment, number> = {
  'first start': 200,
  load: 1500,
  backup: 200,
  restore: 200,
  migration: 200,
  takeover: 200,
}

/** The results on one file system. */
interface Tally {
  cuts: number
  byMoment: Partial<Record<Moment, number>>
  acknowledged: number
  /** The number of checks of public images after cuts, and how many of these differed from what was acknowledged. */
  looked: number
  lost: number
  failedStarts: number
  /** Sentences, each with the cut after which the problem was seen. */
  problems: string[]
}

/** A failure of the service, as opposed to one of the test. */
class Broken extends Error {}

/** A machine whose power is cut repeatedly, and the records of its clients. */
export class PowerLife {
  readonly #disk: PowerDisk
  readonly #random: Random
  readonly #tally: Tally
  readonly #syncFirst: boolean
  readonly #requests: Record<Moment, number>
  #clients: CrashClient[] = []
  #service: KillableService | undefined
  #port = 0
  /** The service's clock advances by a minute at each start, so that leases of interrupted requests have expired. */
  #starts = 0
  #last = 'no cut'

  private constructor(kind: FileSystem, disk: PowerDisk, random: Random, syncFirst: boolean) {
    this.#disk = disk
    // An fsync of btrfs takes about four times as many writes.
    this.#requests = { ...REQUESTS, load: kind === 'btrfs' ? 4 * REQUESTS.load : REQUESTS.load }
    this.#random = random
    this.#syncFirst = syncFirst
    this.#tally = { cuts: 0, byMoment: {}, acknowledged: 0, looked: 0, lost: 0, failedStarts: 0, problems: [] }
  }

  static async create(kind: FileSystem, random: Random, { syncFirst }: { syncFirst: boolean }): Promise<PowerLife> {
    return new PowerLife(kind, await PowerDisk.create(kind), random, syncFirst)
  }

  get tally(): Readonly<Tally> {
    return this.#tally
  }

  /** Starts with an empty disk, and cuts the power at each of these moments. Ends early if something is lost. */
  async live(moments: readonly Moment[], { isLooked = true } = {}): Promise<void> {
    await this.#disk.reset()
    this.#clients = Array.from({ length: CLIENTS }, (_, at) => new CrashClient(at + 1, this.#random))
    this.#port = await freePort()
    this.#last = 'no cut'
    try {
      for (const moment of moments) {
        this.#tally.byMoment[moment] = (this.#tally.byMoment[moment] ?? 0) + 1
        await this.#cutDuring(moment)
      }
      if (isLooked) await this.#checkAll()
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      this.#tally.problems.push(error.message)
    } finally {
      await this.#service?.kill()
      this.#service = undefined
      for (const { acknowledged, looked, lost } of this.#clients) {
        this.#tally.acknowledged += acknowledged
        this.#tally.looked += looked
        this.#tally.lost += lost
      }
    }
  }

  async close(): Promise<void> {
    await this.#service?.kill()
    await this.#disk.close()
  }

  #cutDuring(moment: Moment): Promise<void> {
    switch (moment) {
      case 'first start':
        return this.#cutFirstStart()
      case 'load':
        return this.#cutLoad()
      case 'backup':
        return this.#cutBackup()
      case 'restore':
        return this.#cutRestore()
      case 'migration':
        return this.#cutMigration()
      case 'takeover':
        return this.#cutTakeover()
    }
  }

  async #cutFirstStart(): Promise<void> {
    const service = this.#start(this.#folder('data'))
    await this.#cutWithin('first start', [service], service.ready)
    await this.#startAndCheck()
  }

  async #cutLoad(): Promise<void> {
    const service = this.#service ?? (await this.#startAndCheck())
    const working = Promise.all(this.#clients.map((client) => client.work(`http://127.0.0.1:${this.#port}`)))
    await this.#cutWithin('load', [service])
    await working
    for (const client of this.#clients) client.forgetUnrepeatable()
    await this.#startAndCheck()
  }

  /** A backup that was reported as done is complete after the cut. An interrupted one does not disturb the next. */
  async #cutBackup(): Promise<void> {
    const service = this.#service ?? (await this.#startAndCheck())
    const args = [this.#folder('backup'), '--data', this.#folder('data')]
    const backup = runGroup('backup', args)
    await this.#cutWithin('backup', [backup, service], backup.ended)
    const [, name] = /^(\S+): \d+ files/m.exec(backup.output()) ?? []
    if (name !== undefined) await this.#command('restore', [this.#folder('backup'), '--check', '--at', name])
    await this.#startAndCheck()
    await this.#command('backup', args)
    await this.#command('restore', [this.#folder('backup'), '--check'])
  }

  /** After the cut, an unfinished restore is repeated. */
  async #cutRestore(): Promise<void> {
    const service = this.#service ?? (await this.#startAndCheck())
    await this.#command('backup', [this.#folder('backup'), '--data', this.#folder('data')])
    const args = [this.#folder('backup'), '--data', this.#folder('restored')]
    const restore = runGroup('restore', args)
    await this.#cutWithin('restore', [restore, service], restore.ended)
    if (!restore.output().includes(' is as it was at ')) await this.#command('restore', [...args, '--replace'])
    await this.#startAndCheck(this.#folder('restored'), true)
    await this.#service?.kill()
    await this.#startAndCheck()
  }

  /** Data with only the first migration, and a record. */
  async #cutMigration(): Promise<void> {
    const service = this.#service ?? (await this.#startAndCheck())
    const data = this.#folder(`old-${this.#tally.cuts}`)
    makeDataOfFirstMigration(data)
    await this.#disk.sync()
    const other = startGroup({ port: await freePort(), data, 'min-free': 1 })
    await this.#cutWithin('migration', [other, service], other.ready)
    const again = startGroup({ port: this.#port, data, 'min-free': 1 })
    await this.#requireReady(again)
    const api = apiAt(`http://127.0.0.1:${this.#port}`)
    const { text } = await api.status(['https://one.example/show/0/4096_a.gif'])
    if (!text.includes('"status":"available"')) this.#break(`the record of before the migration is lost: ${text}`)
    const { status } = await api.uploadImage(LEAST_IMAGE)
    if (status !== 200) this.#break(`an upload after the migration has the status ${status}`)
    await again.kill()
    await this.#startAndCheck()
  }

  /** Takes over a copy of the data in the layout of older versions, for which the clients' records also hold. */
  async #cutTakeover(): Promise<void> {
    await this.#service?.kill()
    this.#service = undefined
    const data = this.#folder(`taken-over-${this.#tally.cuts}`)
    await makeOldData(data, this.#folder('data'))
    await this.#disk.sync()
    const service = this.#start(data)
    await this.#cutWithin('takeover', [service], service.ready)
    const again = await this.#startAndCheck(data, true)
    await again.kill()
    rmSync(data, { recursive: true })
    await this.#startAndCheck()
  }

  #folder(name: string): string {
    return join(this.#disk.path, name)
  }

  #start(data: string): KillableService {
    const offsetMs = ++this.#starts * MINUTE_MS
    return startGroup({ port: this.#port, data, 'clock-offset-ms': offsetMs, 'min-free': 1 })
  }

  async #startAndCheck(data = this.#folder('data'), isAll = false): Promise<KillableService> {
    const service = this.#start(data)
    this.#service = service
    await this.#requireReady(service)
    await Promise.all(this.#clients.map((client) => client.check(`http://127.0.0.1:${this.#port}`, isAll)))
    const problems = this.#clients.flatMap((client) => client.problems)
    if (problems.length > 0) this.#break(problems.slice(0, 4).join('; '))
    return service
  }

  async #requireReady(service: KillableService): Promise<void> {
    if (await service.ready) return
    this.#tally.failedStarts++
    this.#break(`the service does not start: ${service.output().trim()}`)
  }

  /** Runs a command, which must succeed. */
  async #command(name: string, args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand(name, args)
    if (code !== 0) this.#break(`npm run ${name} ends with ${code}: ${stderr.trim()}`)
    return stdout
  }

  #break(what: string): never {
    throw new Broken(`${this.#last}: ${what}`)
  }

  /** Cuts the power at a random write or flush of these processes, or when their work has ended. */
  async #cutWithin(moment: Moment, groups: readonly ProcessGroup[], ended?: Promise<unknown>): Promise<void> {
    const before = await this.#disk.requests()
    // One time in five right after the end, when something was just reported as done.
    const most = Math.ceil(this.#requests[moment] * (ended ? 1.25 : 1))
    const held = this.#disk.holdAfter(1 + below(most, this.#random))
    await Promise.race([held, ...(ended ? [ended] : [])])
    for (const group of groups) group.freeze()
    if (ended) this.#learn(moment, (await this.#disk.requests()) - before)
    await this.#cut(moment, groups)
  }

  /** For work that ends, the mean of the last cuts predicts its number of requests. */
  #learn(moment: Moment, requests: number): void {
    this.#requests[moment] = Math.max(20, Math.round(this.#requests[moment] * 0.7 + requests * 0.6))
  }

  async #cut(moment: Moment, groups: readonly ProcessGroup[]): Promise<void> {
    if (this.#syncFirst) {
      await this.#disk.resume()
      await this.#disk.sync()
    }
    const survival = pick<Survival>(['none', 'all', 'some'], this.#random)
    const image = await this.#disk.cut({ survival, seed: below(2 ** 31, this.#random) })
    await Promise.all(groups.map((group) => group.kill()))
    this.#service = undefined
    this.#tally.cuts++
    this.#last = `cut ${this.#tally.cuts} (${moment}, of unflushed writes ${survival} survive)`
    await this.#disk.powerOn(image)
  }

  /** Checks everything, and that files and records agree, after the sweep of interrupted uploads. */
  async #checkAll(): Promise<void> {
    await this.#service?.kill()
    const laterMs = this.#starts * MINUTE_MS + 2 * HOUR_MS
    const data = this.#folder('data')
    const start = async (offsetMs: number) => {
      const service = startGroup({ port: this.#port, data, 'clock-offset-ms': offsetMs, 'min-free': 1 })
      this.#service = service
      await this.#requireReady(service)
      return service
    }
    const baseUrl = `http://127.0.0.1:${this.#port}`
    const first = await start(laterMs)
    await Promise.all(this.#clients.map((client) => client.finish(baseUrl)))
    await Promise.all(this.#clients.map((client) => client.check(baseUrl, true)))
    await waitForBacklog(first.output)
    await first.kill()
    const second = await start(laterMs + 2 * HOUR_MS)
    await waitForBacklog(second.output)
    const found = await this.#command('reconcile', ['--port', String(this.#port), '--data', data, '--json'])
    const counts = JSON.parse(found.trimEnd().split('\n').at(-1) ?? '')
    const amiss = Object.keys(NOTHING_AMISS).filter((name) => counts[name] !== 0)
    if (amiss.length > 0) this.#break(`npm run reconcile finds ${found.trim()}`)
    const problems = this.#clients.flatMap((client) => client.problems)
    if (problems.length > 0) this.#break(problems.slice(0, 4).join('; '))
  }
}

/** Makes a data folder whose database has only the first migration, and the record of one image. */
function makeDataOfFirstMigration(data: string): void {
  const [id = ''] = idsOf(readLocalService().bindings.d1Databases)
  const file = join(data, databasePath(id))
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec(readFileSync(join(MIGRATIONS, '0001_initial.sql'), 'utf8'))
  database.exec(`CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    INSERT INTO d1_migrations (name) VALUES ('0001_initial.sql');
    INSERT INTO images VALUES (4096, 'a.gif', 'image/gif', 35, 1, 1, 44, 1, 1, 0, NULL, NULL)`)
  database.close()
}
