// The whole service in this process: the Worker in workerd through Miniflare, with D1, files and Durable Objects in one
// folder. Migrations are applied, and cron runs. tools/build/build.ts has built it.

import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import path from 'node:path'
import type { Miniflare, V4ModuleDefinition, V4WorkerOptions, V4WorkerOptionsShape } from 'miniflare'
import { idsOf, MIGRATIONS_WORKER, readLocalService, STATIC_OF_WORKER, WORKER } from '../build/build.ts'
import { ROOT } from '../install/installed.mjs'
import { codeOf, messageOf } from '../shared/command-line.ts'
import { syncFolder, syncFolders } from '../shared/durable-files.ts'
import { ensureOperatorKeys } from '../shared/operator-key.ts'
import { checkSettings, checkTogether } from '../shared/settings.ts'
import {
  bindingOf,
  checkWriteShards,
  furtherShards,
  keepShards,
  readShards,
  shardsFromNowOn,
} from '../shared/shards.ts'
import { INCOMPLETE, releaseDataFolder, takeDataFolder } from './data/data-folder.ts'
import { DiskFiles } from './data/disk-files.ts'
import { locateFiles } from './data/file-location.ts'
import { FILES } from './data/layout.ts'
import { recordReadOnly, refusalOfMove } from './data/move-journal.ts'
import { forgetS3Keys } from './data/s3-keys.ts'
import { serveFiles } from './data/service.ts'
import { haveMigrations } from './data/stored-data.ts'
import { takeOverFiles } from './data/takeover.ts'
import { diskService, hasRoomToOpen } from './disk.ts'
import { prepareLimiterObjects, withLimiterKey } from './limiter-objects.ts'
import { withoutAddresses } from './runtime-log.ts'
import type { readStartOptions } from './start-options.ts'
import { staticAssetsModules } from './static-assets.ts'

const CRON_MS = 60_000
const PORT_TAKEN_TRIES = 20
/** Addresses by which 127.0.0.1 reaches it. */
const LOOPBACK = ['127.0.0.1', '0.0.0.0']

// A benchmark serves a Worker in its own wrapping, and looks at it through the inspector.
const { MEASURED_WORKER: folder = WORKER, INSPECTOR_PORT: inspectorPort } = process.env

/** The Worker that serves the static assets. */
const ASSETS_WORKER = 'static-assets'

/** Miniflare's name of the socket of `unsafeDirectSockets`. */
const DIRECT_SOCKET = 'direct:0:default'
/** Timeout of a connection whose client reads nothing (tools/serve/listener.pl). Tests use a shorter one. */
const { READER_TIMEOUT_MS: readerTimeoutMs = '60000' } = process.env

export type Running = Miniflare

/** The service cannot start. The message is for the operator. */
export class CannotServe extends Error {}

/**
 * One service: `start` resolves when it serves, `stop` when it has ended, and its data is free. A stop ends a start that is under
 * way, which then never comes back.
 */
export class LocalService {
  #options
  #hooks
  #settings = readLocalService()
  #running: Running | undefined
  #databases: NonNullable<V4WorkerOptionsShape['d1Databases']> = {}
  #files: Awaited<ReturnType<typeof serveFiles>> | undefined
  #ipv6: net.Server | undefined
  #cron: NodeJS.Timeout | undefined
  #isStopping = false
  #fileSettings: Record<string, string> = {}

  /**
   * Takes the options of `npm start`. `started` is called after each start of a Miniflare, which sets signal handlers. `print` gets
   * the Worker's log and failures, instead of this process's output. `edgeCache` turns Miniflare's edge cache on and the isolate's
   * cache off, for tests and benchmarks. `isOnly` says that this process runs no other service, so its environment may configure how
   * workerd listens.
   */
  constructor(
    options: Awaited<ReturnType<typeof readStartOptions>>,
    hooks: { started?: () => void; print?: (line: string) => void; edgeCache?: boolean; isOnly?: boolean } = {},
  ) {
    this.#options = options
    this.#hooks = hooks
  }

  async start() {
    const { data, host, settings } = this.#options
    const variables = this.#settings.bindings.bindings ?? {}
    await checkSettings(variables).catch((error) => refuse(`wrangler.toml: ${messageOf(error)}`))
    await checkTogether({ ...variables, ...settings }).catch((error) => refuse(messageOf(error)))
    if (!(await hasRoomToOpen(data))) refuse(`the disk of ${data} is full: free 1 MB or more, then start again`)
    await takeData(data)
    this.#respectMoves()
    const shards = orRefuse(() => shardsFromNowOn(this.#options.shards, readShards(data)))
    orRefuse(() => checkWriteShards(settings.WRITE_SHARDS, shards))
    this.#fileSettings = await locateFiles(data, this.#options.files).catch((error) => refuse(messageOf(error)))
    // workerd inherits the environment, and has the keys by its configuration, which it reads from a pipe.
    forgetS3Keys()
    this.#databases = databasesOf(this.#settings.bindings, shards)
    // Earlier versions do not find files in their new places.
    orRefuse(() => keepShards(data, readShards(data)))
    if (this.#fileSettings.S3_URL === undefined) await this.#unlessStopped(() => this.#openFiles())
    await this.#unlessStopped(() => this.#migrate())
    // Before anything has an address there.
    keepShards(data, shards)
    prepareLimiterObjects(data)
    const service = await this.#unlessStopped(() => this.#serve())
    if (LOOPBACK.includes(host)) this.#serveIpv6Too()
    void this.#tick(service)
    this.#cron = setInterval(() => this.#tick(service), CRON_MS)
  }

  async stop() {
    this.#isStopping = true
    clearInterval(this.#cron)
    this.#ipv6?.close()
    try {
      await this.#running?.dispose()
      this.#files?.close()
    } finally {
      releaseDataFolder(this.#options.data)
    }
  }

  /** Refuses data that has moved, and records for a move whether this service changes the data. */
  #respectMoves() {
    const { data, settings } = this.#options
    const isReadOnly = settings.READ_ONLY === 'on'
    const refusal = refusalOfMove(data, isReadOnly)
    if (refusal !== undefined) refuse(refusal)
    recordReadOnly(data, isReadOnly)
  }

  async #openFiles() {
    const { data } = this.#options
    const { print = console.log } = this.#hooks
    const files = new DiskFiles(path.join(data, FILES))
    await files.open().catch((error) => refuse(`files cannot be kept: ${messageOf(error)}`))
    await takeOverFiles(data, print)
    this.#files = await serveFiles(files, data)
  }

  /**
   * Applies the migrations that are missing by a workerd of its own, without the service's port: that takes requests as soon as
   * it is there.
   */
  async #migrate() {
    const { bindings, migrations } = this.#settings
    if (haveMigrations(this.#options.data, idsOf(this.#databases), migrations)) return
    const { compatibilityDate = '' } = bindings
    const modules = [moduleOf(MIGRATIONS_WORKER)]
    const miniflare = this.#run({ name: 'migrations', modules, compatibilityDate, d1Databases: this.#databases })
    const body = JSON.stringify(migrations)
    const response = await miniflare.dispatchFetch('http://localhost', { method: 'POST', body })
    if (!response.ok) throw new Error(await response.text())
    await miniflare.dispose()
    // workerd syncs its databases, and the folder that they are in, but not the folders above.
    syncFolders(path.join(this.#options.data, 'd1'))
    syncFolder(this.#options.data)
  }

  /** Another that was just killed may hold the port for a moment: that is waited for. */
  async #serve() {
    const { host, port } = this.#options
    if (this.#hooks.isOnly) process.env.TINTYPE_LISTENER = `${DIRECT_SOCKET}=${host}:${port}=${readerTimeoutMs}`
    for (let attempt = 1; ; attempt++) {
      const miniflare = this.#run(this.#worker(), this.#assetsWorker())
      try {
        await miniflare.ready
        return miniflare
      } catch (error) {
        await miniflare.dispose().catch(() => {})
        if (codeOf(error) !== 'ERR_ADDRESS_IN_USE' && !/address already in use/i.test(messageOf(error))) throw error
        if (attempt === PORT_TAKEN_TRIES) refuse(`port ${this.#options.port} is taken: choose another with --port`)
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    }
  }

  /** Starts a workerd for a Worker and others that it calls, with the data of the service. */
  #run(worker: V4WorkerOptions, ...others: V4WorkerOptions[]) {
    const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = miniflarePackage()
    const { print, edgeCache = false } = this.#hooks
    this.#running = new Miniflare(
      convertV4MiniflareOptions({
        resourcePersistencePath: this.#options.data,
        log: new Log(LogLevel.WARN),
        logRequests: false,
        cf: false,
        telemetry: { enabled: false },
        // Not at the port of the service, whose requests go to the Worker itself.
        unsafeTriggerHandlers: true,
        handleStructuredLogs: ({ level, message }) => printLog(level, message, print),
        ...(inspectorPort === undefined ? {} : { inspectorPort: Number(inspectorPort) }),
        workers: [
          {
            ...worker,
            // The edge cache would keep a second copy of every file in the same place.
            cacheAPI: edgeCache,
          },
          ...others,
        ],
      }),
    )
    this.#hooks.started?.()
    return this.#running
  }

  /** Returns the Worker as it was built, and its settings. */
  #worker(): V4WorkerOptions {
    const { bindings } = this.#settings
    const options = this.#options
    const modules = readdirSync(folder)
      .filter((file) => file.endsWith('.js') || file.endsWith('.wasm'))
      .sort((a, b) => Number(b === 'index.js') - Number(a === 'index.js'))
      .map((file) => moduleOf(path.join(folder, file)))
    const variables = {
      ...bindings.bindings,
      LOCAL_PORT: String(options.port),
      OPERATOR_KEY: prepareOperatorKeys(options.data),
      ...options.settings,
      ...(this.#hooks.edgeCache && { READ_CACHE: 'off' }),
      ...this.#fileSettings,
    }
    // Miniflare's own assets put two more Workers before this one.
    const { r2Buckets: _buckets, assets: _assets, ...others } = bindings
    return {
      ...others,
      name: 'tintype',
      d1Databases: this.#databases,
      durableObjects: withLimiterKey(bindings.durableObjects),
      bindings: variables,
      modules,
      modulesRoot: folder,
      serviceBindings: {
        ASSETS: ASSETS_WORKER,
        DISK: diskService(options.data, options.minFreeMib, miniflarePackage().Response),
        ...(this.#files && {
          FILES_FOLDER: { disk: { path: path.join(options.data, FILES), writable: true } },
          FILES_SERVICE: { external: { address: `unix:${this.#files.socket}`, http: {} } },
        }),
      },
      // Miniflare's own entry responds to malformed hosts with 500, and obeys `MF-` headers.
      unsafeDirectSockets: [{ host: options.host, port: options.port }],
    }
  }

  #assetsWorker(): V4WorkerOptions {
    const { compatibilityDate = '' } = this.#settings.bindings
    const modules = staticAssetsModules(path.join(folder, STATIC_OF_WORKER))
    // Its cache would have folders in the data, which nothing syncs.
    return { name: ASSETS_WORKER, compatibilityDate, modules, modulesRoot: '/', cacheAPI: false }
  }

  /** `localhost` is [::1] to some programs, and workerd listens on one address: those connections are passed on. */
  #serveIpv6Too() {
    const { port } = this.#options
    this.#ipv6 = net.createServer((client) => {
      const upstream = net.connect(port, '127.0.0.1')
      client.pipe(upstream).pipe(client)
      client.on('error', () => upstream.destroy())
      upstream.on('error', () => client.destroy())
    })
    // A machine without IPv6 does without.
    this.#ipv6.on('error', () => {})
    this.#ipv6.listen(port, '::1')
  }

  /**
   * Fires cron with a request to an address of Miniflare, which workerd handles. Miniflare's proxy would block this
   * process until workerd responds, while workerd waits until this process reads its output: with 64 KiB of output,
   * both waited for ever.
   */
  async #tick(service: Running) {
    try {
      const query = new URLSearchParams({ cron: '* * * * *', time: String(Date.now()) })
      const response = await service.dispatchFetch(`http://localhost/cdn-cgi/local/scheduled?${query}`)
      if (!response.ok) throw new Error(`the scheduled handler responded ${response.status}`)
      await response.text()
    } catch (error) {
      // Failures caused by the end of the service are ignored.
      const { print = console.error } = this.#hooks
      if (!this.#isStopping) print(`cron: ${messageOf(error)}`)
    }
  }

  /** Returns the result of a step of the start. A step that is interrupted by the end of the service never returns. */
  async #unlessStopped<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      if (this.#isStopping) return new Promise(() => {})
      throw error
    }
  }
}

/** Prints a message of workerd's log. */
function printLog(level: string, message: string, print: ((line: string) => void) | undefined): void {
  const line = withoutAddresses(message)
  if (line === undefined) return
  if (print) print(line)
  else if (level === 'error' || level === 'warn') console.error(line)
  else console.log(line)
}

/** Loads Miniflare, megabytes of source, once it is needed. `require` does not have to detect the type of its modules. */
function miniflarePackage(): typeof import('miniflare') {
  const require = createRequire(import.meta.url)
  // The default is the path of the program.
  process.env.WORKERD = require('workerd').default
  process.env.MINIFLARE_WORKERD_PATH = path.join(ROOT, 'tools', 'serve', 'workerd.sh')
  // By default, V8 lets the young objects of each isolate grow to 16 MB, and collects old ones only after tens of
  // megabytes. In D1 and R2, each of them keeps 40 KB outside of V8, and resident memory grew by 5 MB with every 64
  // uploads of 10 MB. With these flags it is stable, for the same CPU time.
  process.env.MINIFLARE_WORKERD_V8_FLAGS ??= '--max-semi-space-size=2 --initial-old-space-size=4'
  return require('miniflare')
}

async function takeData(data: string) {
  const isTaken = await takeDataFolder(data).catch((error) =>
    refuse(`--data must be a folder that can be written: ${messageOf(error)}`),
  )
  if (!isTaken) {
    refuse(`${data} is in use by another Tintype: stop that one first, or choose another folder with --data`)
  }
  if (existsSync(path.join(data, INCOMPLETE))) {
    refuse(`a restore into ${data} was cut off: repeat npm run restore with --replace`)
  }
}

function prepareOperatorKeys(data: string) {
  try {
    return ensureOperatorKeys(data)
  } catch (error) {
    return refuse(`the operators' keys cannot be kept: ${messageOf(error)}`)
  }
}

/**
 * The databases by their bindings. The data lies under the ids: that of the first is in wrangler.toml, those of the others are made
 * of their numbers.
 */
function databasesOf(bindings: V4WorkerOptionsShape, count: number) {
  const further = furtherShards(count).map((shard) => [bindingOf(shard), `tintype-shard-${shard}`])
  return { ...bindings.d1Databases, ...Object.fromEntries(further) }
}

function orRefuse<T>(read: () => T) {
  try {
    return read()
  } catch (error) {
    return refuse(messageOf(error))
  }
}

function refuse(sentence: string): never {
  throw new CannotServe(sentence)
}

function moduleOf(file: string): V4ModuleDefinition {
  return { type: /\.m?js$/.test(file) ? 'ESModule' : 'CompiledWasm', path: file }
}
