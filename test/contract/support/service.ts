import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { idsOf, readLocalService } from '../../../tools/build/build.ts'
import { nodeBinary, toolEnvironment } from '../../../tools/install/installed.mjs'
import { databasePath } from '../../../tools/serve/data/stored-data.ts'
import { LocalService } from '../../../tools/serve/local-service.ts'
import { readStartOptions } from '../../../tools/serve/start-options.ts'
import { refuseTokens } from './issued-tokens.ts'

const TOOLS = join(import.meta.dirname, '../../../tools')
const START_SCRIPT = join(TOOLS, 'serve/start.ts')
const READY_TIMEOUT_MS = 180_000

/** Domains of every test's service, for hosts, links and show URLs. */
export const TEST_DOMAINS = ['one.example', 'two.example', 'three.example'] as const

/** Options of the service (D1, D3). By default it has a free port, a new data folder and the test domains. */
export interface StartOptions {
  /**
   * Whether the service runs in processes of its own, as users start it. This is for tests of these processes, of their
   * memory, and of kills. By default it runs in the process of the tests, which loads Miniflare only once: that takes
   * most of a start. workerd is the same.
   */
  byCommand?: boolean
  /** By default a minute, for a service that is started `byCommand`. */
  readerTimeoutMs?: number
  port?: number
  data?: string
  domains?: readonly string[]
  singleHostDomains?: readonly string[]
  securityContact?: string
  /** In MB. */
  minFree?: number
  clockOffsetMs?: number
  reportWebhook?: string
  /** By default those of the data; for new data, the number in the variable SHARDS. */
  shards?: number
  writeShards?: string
  /** By default all requests, so that its log is searched for tokens. */
  logRequests?: string
  /** None by default, because tests send thousands of requests from one address. */
  clientLimits?: string
  /** Further options, such as a location of files that differs from that of the test run. */
  args?: readonly string[]
  /** Whether it has Miniflare's edge cache, which `npm start` omits. Only for services in this process. */
  edgeCache?: boolean
}

/** A running service. */
export interface Service {
  baseUrl: string
  port: number
  /** Returns all its output so far. */
  output: () => string
  /** Returns the resident memory of its workerd in MB, on Linux. */
  residentMb: () => number
  /**
   * Sends SIGTERM to the start command alone, and returns its exit code. Throws, like `kill`, if a token was left
   * anywhere.
   */
  stop: () => Promise<number | null>
  /**
   * Sends SIGKILL to the start command and all its children at once, like a power cut. Only for services started
   * `byCommand`.
   */
  kill: () => Promise<void>
}

/** Below the ports that systems assign automatically. */
const PORTS = { first: 20_000, count: 12_000 }

/** Returns a port without a listener, reserved for the whole test run, because its service may start much later. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.first + Math.floor(Math.random() * PORTS.count)
    if (claimPort(port) && (await isFree(port))) return port
  }
}

/** Returns whether this port is now reserved for the caller. */
function claimPort(port: number): boolean {
  const run = process.env.TINTYPE_ISSUED_TOKENS
  if (run === undefined) return true
  const folder = `${run}-ports`
  mkdirSync(folder, { recursive: true })
  try {
    closeSync(openSync(join(folder, String(port)), 'wx'))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/**
 * Creates a folder for the data of one service, and returns it with its removal. Unless `isEmpty`, it has a migrated
 * database if this test run has made one, because the migrations take a third of a start.
 */
export async function temporaryData({ isEmpty = false } = {}): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'tintype-contract-'))
  const migrated = migratedData()
  if (!isEmpty && migrated !== undefined && existsSync(migrated)) await cp(migrated, path, { recursive: true })
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** Returns the data folder of this test run that contains only a migrated database. */
function migratedData(): string | undefined {
  return process.env.TINTYPE_ISSUED_TOKENS && `${process.env.TINTYPE_ISSUED_TOKENS}-migrated`
}

/** Makes that folder. The service must have been built. */
export function makeMigratedData(): void {
  const folder = migratedData()
  if (folder === undefined || existsSync(folder)) return
  const { bindings, migrations } = readLocalService()
  const [id = ''] = idsOf(bindings.d1Databases)
  const file = join(folder, databasePath(id))
  mkdirSync(dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)')
  for (const { name, statements } of migrations) {
    for (const statement of statements) database.exec(statement)
    database.prepare('INSERT INTO d1_migrations (name) VALUES (?)').run(name)
  }
  database.close()
}

let built: Promise<unknown> | undefined

/** Builds the service if its sources have changed, as `npm start` does. */
function ensureBuilt(): Promise<unknown> {
  built ??= promisify(execFile)(nodeBinary(), [join(TOOLS, 'build/build.ts')], { env: toolEnvironment() })
  return built
}

/** Starts the service and waits for the line with its address. If it ends instead, throws with its output. */
export async function startService(options: StartOptions = {}): Promise<Service> {
  const port = options.port ?? (await freePort())
  const domains = options.domains ?? [...TEST_DOMAINS, 'localhost']
  const args = ['--port', String(port), '--domains', domains.join(',')]
  const ownData = options.data === undefined ? await temporaryData() : undefined
  const data = ownData?.path ?? options.data ?? ''
  args.push('--data', data)
  if (options.singleHostDomains) args.push('--single-host-domains', options.singleHostDomains.join(','))
  args.push('--client-limits', options.clientLimits ?? 'off')
  const shards = options.shards ?? (ownData ? process.env.SHARDS : undefined)
  if (shards !== undefined) args.push('--shards', String(shards))
  if (options.writeShards !== undefined) args.push('--write-shards', options.writeShards)
  if (options.minFree !== undefined) args.push('--min-free', String(options.minFree))
  if (options.securityContact !== undefined) args.push('--security-contact', options.securityContact)
  args.push('--log-requests', options.logRequests ?? '1')
  if (options.reportWebhook !== undefined) args.push('--report-webhook', options.reportWebhook)
  args.push(...(options.args ?? filesOfRun(data)))
  if (options.clockOffsetMs !== undefined) args.push('--clock-offset-ms', String(options.clockOffsetMs))

  const remove = async () => ownData?.remove()
  const { byCommand, edgeCache = false, readerTimeoutMs: timeout } = options
  if (!byCommand) return startHere(port, data, args, edgeCache, remove)
  return startByCommand(port, data, args, remove, timeout === undefined ? {} : { READER_TIMEOUT_MS: String(timeout) })
}

/**
 * Returns options with the location of files in this test run: a folder of their own for each data folder, in the
 * bucket of the variable TINTYPE_TEST_FILES, or none. A data folder remembers its own.
 */
function filesOfRun(data: string): string[] {
  const options = process.env.TINTYPE_TEST_FILES
  if (options === undefined || existsSync(join(data, 'files.json'))) return []
  const [bucket = '', ...others] = options.split(' ')
  return ['--files', `${bucket}/${randomUUID()}`, ...others]
}

/** Starts the service in this process. */
async function startHere(
  port: number,
  data: string,
  args: string[],
  edgeCache: boolean,
  remove: () => Promise<void>,
): Promise<Service> {
  await ensureBuilt()
  let output = ''
  const print = (line: string) => {
    output += `${line}\n`
  }
  const service = new LocalService(await readStartOptions(args), { print, edgeCache })
  try {
    await service.start()
  } catch (error) {
    await service.stop().catch(() => {})
    await remove()
    throw error
  }
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    output: () => output,
    residentMb: needsCommand,
    stop: async () => {
      await service.stop()
      await forget(data, output, remove)
      return 0
    },
    kill: needsCommand,
  }
}

function needsCommand(): never {
  throw new Error('that is for a service that was started byCommand')
}

/** Throws if a token was left anywhere. */
async function forget(data: string, output: string, remove: () => Promise<void>): Promise<void> {
  try {
    refuseTokens({ folders: [data], texts: { 'what the service printed': output } })
  } finally {
    await remove()
  }
}

async function startByCommand(
  port: number,
  data: string,
  args: string[],
  remove: () => Promise<void>,
  environment: Record<string, string>,
): Promise<Service> {
  // Its own process group, so that `kill` also reaches the children.
  const child = spawn(process.execPath, [START_SCRIPT, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const killWithUs = () => killGroup(child)
  process.once('exit', killWithUs)
  const end = async () => {
    process.off('exit', killWithUs)
    await forget(data, output, remove)
  }

  await new Promise<void>((resolve, reject) => {
    let serving = false
    const fail = (why: string) => {
      if (serving) return
      killGroup(child)
      reject(new Error(`the service ${why}; it printed:\n${output}`))
    }
    const timer = setTimeout(() => fail('did not print its address in time'), READY_TIMEOUT_MS)
    void ended.then((code) => fail(`ended with code ${code} before it served`))
    child.stdout.on('data', () => {
      if (!output.includes(`http://localhost:${port}`)) return
      serving = true
      clearTimeout(timer)
      resolve()
    })
  })

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    port,
    output: () => output,
    residentMb: () => residentMb(child.pid),
    stop: async () => {
      child.kill('SIGTERM')
      const code = await ended
      await end()
      return code
    },
    kill: async () => {
      killGroup(child)
      await ended
      await end()
    },
  }
}

/** Returns the memory of all workerd processes in a process group (proc_pid_stat(5), proc_pid_status(5)). */
function residentMb(group: number | undefined): number {
  let kilobytes = 0
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const [, name, , , pgrp] = /^\d+ \((.*)\) (\S) (\d+) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      if (name !== 'workerd' || Number(pgrp) !== group) continue
      kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    } catch {
      // It ended meanwhile.
    }
  }
  if (kilobytes === 0) throw new Error('the service has no workerd')
  return Math.round(kilobytes / 1000)
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
