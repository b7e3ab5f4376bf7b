// The whole service on this machine: the Worker in workerd through Miniflare, D1, R2 and Durable Objects kept in one folder,
// migrations applied, Cron firing. scripts/build.mjs has built it; the options are those of `npm start`.
import { readdirSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
// @ts-expect-error It has no types: its default is the path of the program.
import workerd from 'workerd'
import { readLocalService, WORKER } from './build.mjs'
import { codeOf, messageOf } from './command-line.mjs'
import { takeDataFolder } from './data-folder.mjs'
import { fail, ROOT } from './installed.mjs'
import { ensureOperatorKey } from './operator-key.mjs'
import { readStartOptions } from './start-options.mjs'

const CRON_MS = 60_000
const PORT_TAKEN_TRIES = 20

process.env.WORKERD = workerd.default
process.env.MINIFLARE_WORKERD_PATH = path.join(ROOT, 'scripts', 'workerd.sh')

const options = await readStartOptions()
await takeData(options.data)
const { bindings, migrations } = readLocalService()
const service = await startService()
let isStopping = false
await applyMigrations(await service.getD1Database('DB'))
stopWithSignals()
serveIpv6Too()
console.log(`Tintype serves http://localhost:${options.port} (data in ${options.data})`)
void tick()
setInterval(tick, CRON_MS)

async function takeData(/** @type {string} */ folder) {
  try {
    if (await takeDataFolder(folder)) return
  } catch (error) {
    fail(`--data must be a folder that can be written: ${messageOf(error)}`)
  }
  fail(`${folder} is in use by another Tintype: stop that one first, or choose another folder with --data`)
}

function prepareOperatorKey(/** @type {string} */ data) {
  try {
    return ensureOperatorKey(data)
  } catch (error) {
    fail(`the operator's key cannot be kept: ${messageOf(error)}`)
  }
}

/** Starts workerd. A service that was just killed may hold the port for a moment: that is waited for. */
async function startService() {
  for (let attempt = 1; ; attempt++) {
    const miniflare = new Miniflare(miniflareOptions())
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

function miniflareOptions() {
  const modules = readdirSync(WORKER)
    .filter((file) => file.endsWith('.js') || file.endsWith('.wasm'))
    .sort((a, b) => Number(b === 'index.js') - Number(a === 'index.js'))
    .map((file) => moduleOf(path.join(WORKER, file)))
  const variables = {
    ...bindings.bindings,
    LOCAL_PORT: String(options.port),
    OPERATOR_KEY: prepareOperatorKey(options.data),
    ...(options.domains === undefined ? {} : { PUBLIC_DOMAINS: options.domains }),
    ...(options.singleHosts === undefined ? {} : { SINGLE_HOST_DOMAINS: options.singleHosts }),
    ...(options.clientLimits === undefined ? {} : { CLIENT_LIMITS: options.clientLimits }),
    ...(options.securityContact === undefined ? {} : { SECURITY_CONTACT: options.securityContact }),
    ...(options.offset === undefined ? {} : { CLOCK_OFFSET_MS: options.offset }),
  }
  return convertV4MiniflareOptions({
    resourcePersistencePath: options.data,
    log: new Log(LogLevel.WARN),
    logRequests: false,
    cf: false,
    telemetry: { enabled: false },
    workers: [
      {
        ...bindings,
        name: 'tintype',
        bindings: variables,
        modules,
        modulesRoot: WORKER,
        // The edge cache would keep a second copy of every file in the same place.
        cacheAPI: false,
        // Miniflare's own entry would answer malformed hosts with 500 and obey `MF-` headers.
        unsafeDirectSockets: [{ host: '127.0.0.1', port: options.port }],
      },
    ],
  })
}

/** @returns {import('miniflare').V4ModuleDefinition} */
function moduleOf(/** @type {string} */ file) {
  return { type: file.endsWith('.js') ? 'ESModule' : 'CompiledWasm', path: file }
}

/** Applies the migrations that this data has not seen, each in one transaction with the note that it was applied. */
async function applyMigrations(/** @type {Awaited<ReturnType<typeof service.getD1Database>>} */ db) {
  await db.exec('CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)')
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all()
  const applied = new Set(results.map(({ name }) => name))
  for (const { name, statements } of migrations) {
    if (applied.has(name)) continue
    const note = db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name)
    await db.batch([...statements.map((statement) => db.prepare(statement)), note])
  }
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

/** Stops with the first signal, and when the process that started this one is gone. */
function stopWithSignals() {
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    await service.dispose()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // Miniflare's own end the process before it has been disposed of.
    process.removeAllListeners(signal)
    process.on(signal, stop)
  }
  process.on('disconnect', stop)
}
