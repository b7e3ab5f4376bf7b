// Prepares every command: installs the packages of the lock file, and a Node.js that is new enough for them.
import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { takeBuildLock } from './build-lock.mjs'

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..')

const PACKAGES = path.join(ROOT, 'node_modules')
const BIN = path.join(PACKAGES, '.bin')
export const WRANGLER = toolPath('wrangler')
const LOCK = path.join(ROOT, 'package-lock.json')
const INSTALLED = path.join(PACKAGES, '.package-lock.json')
// Is there while npm works, and until what it wrote is on the disk: an install that was cut off is done again.
const INSTALLING = path.join(ROOT, 'generated', 'installing')
// The compile cache of Node.js: Miniflare and wrangler are megabytes of source.
const COMPILED = path.join(PACKAGES, '.cache', 'node')

/**
 * The packages that a command needs: `service` those that serve, build and deploy (`dependencies` in package.json), `all`
 * those that test, measure and draw besides (`devDependencies`).
 * @typedef {'service' | 'all'} Packages
 */

/** @typedef {{ version?: string, optional?: boolean, dev?: boolean, link?: boolean, resolved?: string }} LockedPackage */

/**
 * Installs what is missing or older than the lock file. What is there and right stays as it is, also under a running service.
 * @param {Packages} wanted
 */
export function ensureInstalled(wanted) {
  if (isWhole() && isInstalled(wanted)) return
  const release = takeBuildLock()
  try {
    // Another command may have installed it meanwhile.
    if (!isWhole() || !isInstalled(wanted)) install(wanted)
  } finally {
    release()
  }
}

function isWhole() {
  return !existsSync(INSTALLING)
}

function install(/** @type {Packages} */ wanted) {
  console.log('Installing the packages of package-lock.json ...')
  const isAdding = wanted === 'all' && isWhole() && isInstalled('service')
  createDurably(INSTALLING)
  if (isAdding) npm('install', '--no-save', '--include=dev')
  else npm('ci', wanted === 'all' ? '--include=dev' : '--omit=dev')
  // Tens of thousands of files, which npm syncs none of. Where there is no such program the system writes them within a minute.
  spawnSync('sync', ['-f', PACKAGES], { stdio: 'ignore' })
  rmSync(INSTALLING)
}

/** Creates an empty file, which a power cut does not undo. */
function createDurably(/** @type {string} */ file) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, '')
  // Windows opens no folder, and keeps entries of folders by itself.
  if (process.platform === 'win32') return
  const folder = openSync(path.dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}

/** @param {string[]} args */
function npm(...args) {
  const { status } = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) fail(`npm ${args[0]} failed: see its message above`)
}

/**
 * Whether what npm says it installed is what the lock file asks for. Optional packages are those of other platforms.
 * @param {Packages} wanted
 */
function isInstalled(wanted) {
  if (!existsSync(INSTALLED)) return false
  const installed = readPackages(INSTALLED)
  return Object.entries(readPackages(LOCK)).every(([name, { version, optional, dev, link, resolved = '' }]) => {
    const isWorkspace = !name.startsWith('node_modules/')
    if (isWorkspace || (dev && wanted === 'service')) return true
    // npm links no workspace whose folder is missing, as cli/ is in a container.
    if (link && !existsSync(path.join(ROOT, resolved))) return true
    const there = installed[name]
    return there ? there.version === version : optional
  })
}

/** @returns {Record<string, LockedPackage>} */
function readPackages(/** @type {string} */ lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages
}

/** Returns the path of a tool of the packages. */
export function toolPath(/** @type {string} */ name) {
  return path.join(BIN, name)
}

/** The Node.js that runs the tools: the one in the packages where there is one for this platform, else the one that runs this. */
export function nodeBinary() {
  const bundled = path.join(PACKAGES, `node-${process.platform}-${process.arch}`, 'bin', 'node')
  // As process.execPath is: node_modules may be a link.
  return existsSync(bundled) ? realpathSync(bundled) : process.execPath
}

/** Starts the running script over in that Node.js where this one is another. */
export function continueInOwnNode() {
  if (nodeBinary() === process.execPath) return
  const { status } = spawnSync(nodeBinary(), process.argv.slice(1), { env: toolEnvironment(), stdio: 'inherit' })
  process.exit(status ?? 1)
}

/**
 * The environment for the tools: their Node.js and each other on the path, and no word to anybody over the network.
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnvironment() {
  return {
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    NODE_COMPILE_CACHE: COMPILED,
    ...process.env,
    PATH: [path.dirname(nodeBinary()), BIN, process.env.PATH].join(path.delimiter),
  }
}

/**
 * Becomes a script or tool that runs until it is stopped: signals are passed on, its exit is ours. It has a channel to this process, whose end means that this process died.
 * @param {string} script
 * @param {string[]} args
 */
export function become(script, args) {
  const child = spawn(nodeBinary(), [script, ...args], {
    cwd: ROOT,
    env: toolEnvironment(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal))
  }
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
  // npm killed outright cannot pass anything on.
  if (process.env.npm_lifecycle_event) {
    const npm = process.ppid
    setInterval(() => process.ppid !== npm && child.kill('SIGTERM'), 250).unref()
  }
}

/**
 * Ends this process with a sentence.
 * @param {string} message
 * @returns {never}
 */
export function fail(message, code = 1) {
  console.error(message)
  process.exit(code)
}
