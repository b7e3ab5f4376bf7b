import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { BUCKET, OWNER, READER, SMALL_BUCKET, SMALL_BUCKET_BYTES } from './accounts.ts'

/** The interpreter of Debian's packages, which another one does not see. */
const PYTHON = '/usr/bin/python3'
const PROGRAM = path.join(import.meta.dirname, 'swift-server.py')

/** Returns what to install if Swift is missing; otherwise undefined. */
export function missingSwift(): string | undefined {
  const { status } = spawnSync(PYTHON, ['-c', 'import swift.proxy, swift.account, swift.container, swift.obj'])
  return status === 0
    ? undefined
    : 'install OpenStack Swift: apt-get install swift-proxy swift-account swift-container swift-object'
}

/** Options of a server. */
interface SwiftOptions {
  /** By `<account>:<name>`, which is the access key id. */
  users: Record<string, { key: string; isAdmin: boolean }>
  buckets: Record<string, { account: string; readers?: string[]; quotaBytes?: number }>
  /** Requests that were signed longer ago are rejected. */
  skewSeconds?: number
}

export interface Swift {
  endpoint: string
  /** Stops it at once. `start` starts it again on the same port with everything it stored. */
  stop: () => Promise<void>
  start: () => Promise<void>
  /** Stops it and removes its data. */
  [Symbol.asyncDispose]: () => Promise<void>
}

const DEFAULTS: SwiftOptions = {
  users: {
    [OWNER.accessKeyId]: { key: OWNER.secretAccessKey, isAdmin: true },
    [READER.accessKeyId]: { key: READER.secretAccessKey, isAdmin: false },
  },
  buckets: {
    [BUCKET]: { account: 'test', readers: [READER.accessKeyId] },
    [SMALL_BUCKET]: { account: 'test', quotaBytes: SMALL_BUCKET_BYTES },
  },
}

/** Starts a server in a folder of its own, on a port of its own. */
export async function startSwift(options: Partial<SwiftOptions> = {}): Promise<Swift> {
  // The names of files beside the data must not be too long, and the folder needs extended attributes, which /tmp may
  // lack.
  const folder = mkdtempSync(path.join(tmpdir(), 'swift-'))
  const wanted = JSON.stringify({ ...DEFAULTS, ...options })
  let port = 0
  let running: ReturnType<typeof spawn> | undefined

  async function start() {
    if (running) return
    const server = spawn(PYTHON, [PROGRAM, folder, String(port), wanted], { stdio: ['pipe', 'pipe', 'pipe'] })
    running = server
    let printed = ''
    server.stderr.on('data', (text) => {
      printed += text
    })
    for await (const line of createInterface({ input: server.stdout })) {
      const [, found] = /^PORT ([0-9]+)$/.exec(line) ?? []
      if (found === undefined) continue
      port = Number(found)
      return
    }
    throw new Error(`Swift did not start: ${printed}`)
  }

  async function stop() {
    const server = running
    running = undefined
    if (!server || server.exitCode !== null) return
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
