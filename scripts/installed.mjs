// What every command needs before its own work: the packages of the lock file, and a Node.js that is new enough for them.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const ROOT = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')

const BIN = path.join(ROOT, 'node_modules', '.bin')
const LOCK = path.join(ROOT, 'package-lock.json')
// npm writes this file last, so an install that was cut off is done again.
const INSTALLED = path.join(ROOT, 'node_modules', '.package-lock.json')

/** Installs what is missing or older than the lock file. */
export function ensureInstalled() {
  if (isInstalled()) return
  console.log('Installing the packages of package-lock.json ...')
  const npm = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (npm.status !== 0) fail('npm ci failed: see its message above')
}

/** Whether what npm says it installed is what the lock file asks for. Optional packages are those of other platforms. */
function isInstalled() {
  if (!existsSync(INSTALLED)) return false
  const installed = JSON.parse(readFileSync(INSTALLED, 'utf8')).packages
  return Object.entries(JSON.parse(readFileSync(LOCK, 'utf8')).packages).every(
    ([path, { version, optional }]) => path === '' || (installed[path]?.version ?? (optional && version)) === version,
  )
}

/** The Node.js that runs the tools: the one in the packages where there is one for this platform, else the one that runs this. */
export function nodeBinary() {
  const bundled = path.join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node')
  return existsSync(bundled) ? bundled : process.execPath
}

/** Starts the running script over in that Node.js where this one is another. */
export function continueInOwnNode() {
  if (nodeBinary() === process.execPath) return
  const { status } = spawnSync(nodeBinary(), process.argv.slice(1), { env: toolEnvironment(), stdio: 'inherit' })
  process.exit(status ?? 1)
}

/** The environment for the tools: their Node.js and each other on the path, and no word to anybody over the network. */
export function toolEnvironment() {
  return {
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    ...process.env,
    PATH: [path.dirname(nodeBinary()), BIN, process.env.PATH].join(path.delimiter),
  }
}

/** Runs a tool of the packages to its end; anything but success ends this process too. */
export function runTool(name, args, options = {}) {
  const tool = spawnSync(nodeBinary(), [path.join(BIN, name), ...args], {
    cwd: ROOT,
    env: toolEnvironment(),
    stdio: 'inherit',
    ...options,
  })
  if (tool.status !== 0) fail(`${name} ${args.join(' ')} failed`, tool.status ?? 1)
  return tool
}

/**
 * Becomes a script or tool that runs until it is told to stop: signals are passed on, its exit is ours. It has a channel to
 * this process, whose end tells it that we died.
 */
export function become(script, args) {
  const child = spawn(nodeBinary(), [script, ...args], {
    cwd: ROOT,
    env: toolEnvironment(),
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
  // npm killed outright cannot pass anything on.
  if (process.env.npm_lifecycle_event) {
    const npm = process.ppid
    setInterval(() => process.ppid !== npm && child.kill('SIGTERM'), 250).unref()
  }
}

/** Ends this process with a sentence. */
export function fail(message, code = 1) {
  console.error(message)
  process.exit(code)
}
