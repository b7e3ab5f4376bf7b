// The whole service on this machine: the Worker in workerd through Miniflare, D1, R2 and Durable Objects kept in one folder,
// migrations applied, Cron firing. scripts/build.mjs has built it; the options are those of `npm start`.
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import net from 'node:net'
import path from 'node:path'
// @ts-expect-error It has no types: its default is the path of the program.
import workerd from 'workerd'
import { idsOf, readLocalService, WORKER } from './build.mjs'
import { codeOf, messageOf } from './command-line.mjs'
import { INCOMPLETE, takeDataFolder } from './data-folder.mjs'
import { diskService } from './disk.mjs'
import { fail, ROOT } from './installed.mjs'
import { ensureOperatorKeys } from './operator-key.mjs'
import { checkSettings } from './settings.mjs'
import { bindingOf, checkWriteShards, furtherShards, keepShards, readShards, shardsFromNowOn } from './shards.mjs'
import { readStartOptions } from './start-options.mjs'
import { haveMigrations } from './stored-data.mjs'

const CRON_MS = 60_000
const PORT_TAKEN_TRIES = 20
/** Addresses by which 127.0.0.1 reaches it. */
const LOOPBACK = ['127.0.0.1', '0.0.0.0']

// A benchmark serves a Worker in its own wrapping, and looks at it through the inspector.
const { MEASURED_WORKER: folder = WORKER, INSPECTOR_PORT: inspectorPort } = process.env

process.env.WORKERD = workerd.default
process.env.MINIFLARE_WORKERD_PATH = path.join(ROOT, 'scripts', 'workerd.sh')

const options = await readStartOptions()
await takeData(options.data)
const { bindings, migrations } = readLocalService()
await checkSettings(bindings.bindings ?? {}).catch((error) => fail(`wrangler.toml: ${messageOf(error)}`))
const shards = orFail(() => shardsFromNowOn(options.shards, readShards(options.data)))
orFail(() => checkWriteShards(options.writeShards, shards))
const d1Databases = databasesOf(shards)
// Megabytes of source: read when it is sure that there is something to serve, and by `require`, for which Node.js need not find out
// first what kind of module they are.
/** @type {typeof import('miniflare')} */
const { convertV4MiniflareOptions, Log, LogLevel, Miniflare, Response } = createRequire(import.meta.url)('miniflare')
/** @type {import('miniflare').Miniflare | undefined} */
let running
let isStopping = false
stopWithSignals()
// The process that started this one is gone.
process.on('disconnect', stop)
await orStop(migrate)
// Before anything has an address there.
keepShards(options.data, shards)
const service = await orStop(startService)
if (LOOPBACK.includes(options.host)) serveIpv6Too()
console.log(`Tintype serves http://localhost:${options.port} (data in ${options.data})`)
void tick()
setInterval(tick, CRON_MS)

async function takeData(/** @type {string} */ folder) {
  try {
    if (await takeDataFolder(folder)) return refuseIncomplete(folder)
  } catch (error) {
    fail(`--data must be a folder that can be written: ${messageOf(error)}`)
  }
  fail(`${folder} is in use by another Tintype: stop that one first, or choose another folder with --data`)
}

function refuseIncomplete(/** @type {string} */ folder) {
  if (existsSync(path.join(folder, INCOMPLETE))) {
    fail(`a restore into ${folder} was cut off: repeat npm run restore with --replace`)
  }
}

function prepareOperatorKeys(/** @type {string} */ data) {
  try {
    return ensureOperatorKeys(data)
  } catch (error) {
    fail(`the operators' keys cannot be kept: ${messageOf(error)}`)
  }
}

/**
 * The databases by their bindings. The data lies under the ids: that of the first is in wrangler.toml, those of the others are made
 * of their numbers.
 */
function databasesOf(/** @type {number} */ count) {
  const further = furtherShards(count).map((shard) => [bindingOf(shard), `tintype-shard-${shard}`])
  return { ...bindings.d1Databases, ...Object.fromEntries(further) }
}

/**
 * @template T
 * @param {() => T} read
 */
function orFail(read) {
  try {
    return read()
  } catch (error) {
    return fail(messageOf(error))
  }
}

/**
 * Applies the migrations that are missing by a workerd of its own, without the service's port: that takes requests as soon as it is
 * there.
 */
async function migrate() {
  if (haveMigrations(options.data, idsOf(d1Databases), migrations)) return
  const { compatibilityDate = '' } = bindings
  const modules = [moduleOf(path.join(ROOT, 'scripts', 'migrations.mjs'))]
  const miniflare = start({ name: 'migrations', modules, compatibilityDate, d1Databases })
  const answer = await miniflare.dispatchFetch('http://localhost', { method: 'POST', body: JSON.stringify(migrations) })
  if (!answer.ok) throw new Error(await answer.text())
  await miniflare.dispose()
}

/** Starts the service. Another that was just killed may hold the port for a moment: that is waited for. */
async function startService() {
  for (let attempt = 1; ; attempt++) {
    const miniflare = start(tintype())
    try {
      await miniflare.ready
      return miniflare
    } catch (error) {
      await miniflare.dispose().catch(() => {})
      if (codeOf(error) !== 'ERR_ADDRESS_IN_USE' && !/address already in use/i.test(messageOf(error))) throw error
      if (attempt === PORT_TAKEN_TRIES) fail(`port ${options.port} is taken: choose another with --port`)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  }
}

/**
 * Starts a workerd for one Worker, with the data of the service.
 * @param {import('miniflare').V4WorkerOptions} worker
 */
function start(worker) {
  running = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: options.data,
      log: new Log(LogLevel.WARN),
      logRequests: false,
      cf: false,
      telemetry: { enabled: false },
      ...(inspectorPort === undefined ? {} : { inspectorPort: Number(inspectorPort) }),
      workers: [
        {
          ...worker,
          // The edge cache would keep a second copy of every file in the same place.
          cacheAPI: false,
        },
      ],
    }),
  )
  stopWithSignals()
  return running
}

/** @returns {import('miniflare').V4WorkerOptions} the Worker as it was built, and its settings */
function tintype() {
  const modules = readdirSync(folder)
    .filter((file) => file.endsWith('.js') || file.endsWith('.wasm'))
    .sort((a, b) => Number(b === 'index.js') - Number(a === 'index.js'))
    .map((file) => moduleOf(path.join(folder, file)))
  const variables = {
    ...bindings.bindings,
    LOCAL_PORT: String(options.port),
    OPERATOR_KEY: prepareOperatorKeys(options.data),
    ...(options.domains === undefined ? {} : { PUBLIC_DOMAINS: options.domains }),
    ...(options.singleHosts === undefined ? {} : { SINGLE_HOST_DOMAINS: options.singleHosts }),
    ...(options.clientLimits === undefined ? {} : { CLIENT_LIMITS: options.clientLimits }),
    ...(options.logRequests === undefined ? {} : { LOG_REQUESTS: options.logRequests }),
    ...(options.writeShards === undefined ? {} : { WRITE_SHARDS: options.writeShards }),
    ...(options.reportWebhook === undefined ? {} : { REPORT_WEBHOOK: options.reportWebhook }),
    ...(options.operatorName === undefined ? {} : { OPERATOR_NAME: options.operatorName }),
    ...(options.tagline === undefined ? {} : { TAGLINE: options.tagline }),
    ...(options.siteLinks === undefined ? {} : { SITE_LINKS: options.siteLinks }),
    ...(options.fileLinks === undefined ? {} : { FILE_LINKS: options.fileLinks }),
    ...(options.securityContact === undefined ? {} : { SECURITY_CONTACT: options.securityContact }),
    ...(options.offset === undefined ? {} : { CLOCK_OFFSET_MS: options.offset }),
  }
  return {
    ...bindings,
    name: 'tintype',
    d1Databases,
    bindings: variables,
    modules,
    modulesRoot: folder,
    serviceBindings: { DISK: diskService(options.data, options.minFreeMib, Response) },
    // Miniflare's own entry would answer malformed hosts with 500 and obey `MF-` headers.
    unsafeDirectSockets: [{ host: options.host, port: options.port }],
  }
}

/** @returns {import('miniflare').V4ModuleDefinition} */
function moduleOf(/** @type {string} */ file) {
  return { type: /\.m?js$/.test(file) ? 'ESModule' : 'CompiledWasm', path: file }
}

/** `localhost` is [::1] to some programs, and workerd listens on one address: those connections are passed on. */
function serveIpv6Too() {
  const server = net.createServer((client) => {
    const upstream = net.connect(options.port, '127.0.0.1')
    client.pipe(upstream).pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  })
  // A machine without IPv6 does without.
  server.on('error', () => {})
  server.listen(options.port, '::1')
}

async function tick() {
  try {
    const worker = await service.getWorker()
    await worker.scheduled({ cron: '* * * * *', scheduledTime: new Date() })
  } catch (error) {
    // What the end of the service cut off is no fault.
    if (!isStopping) console.error(`cron: ${messageOf(error)}`)
  }
}

/** workerd that dies is started again by Miniflare; what was being asked of it at that moment fails nowhere we could catch it. */
process.on('uncaughtException', (error) => {
  console.error(error)
  if (codeOf(error.cause) !== 'ECONNREFUSED' && codeOf(error) !== 'ECONNREFUSED') process.exit(1)
})

/** Stops with the first signal. To be said again after each start of a Miniflare, which sets signals of its own. */
function stopWithSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Miniflare's own end the process before it has been disposed of.
    process.removeAllListeners(signal)
    process.on(signal, stop)
  }
}

async function stop() {
  if (isStopping) return
  isStopping = true
  await running?.dispose()
  process.exit(0)
}

/**
 * What a step of the start gives. One that is cut off by the end of the service never comes back: the process ends meanwhile.
 * @template T
 * @param {() => Promise<T>} step
 * @returns {Promise<T>}
 */
async function orStop(step) {
  try {
    return await step()
  } catch (error) {
    if (isStopping) return new Promise(() => {})
    throw error
  }
}
