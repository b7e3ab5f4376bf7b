import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../support/random.ts'
import { mayStartServices } from './support/api.ts'
import { runCommand } from './support/command.ts'
import { CrashClient } from './support/crash-clients.ts'
import { freePort, TEST_DOMAINS, temporaryData } from './support/service.ts'

const START_SCRIPT = join(import.meta.dirname, '../../scripts/start.mjs')
const CLIENTS = 8
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How often the service is killed: `npm run crash -- --cycles 200` does so at length. */
const CYCLES = Number(process.env.CRASH_CYCLES ?? 2)
const KILLED_STARTS = process.env.CRASH_CYCLES === undefined ? 1 : 10
/** How long it works before it is killed, at most. */
const WORK_MAX_MS = process.env.CRASH_CYCLES === undefined ? 750 : 6000
const seed = Number(process.env.TINTYPE_SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Starts the service in a process group of its own. `ready` is false if it ended before it served. */
function start(port: number, data: string, clockOffsetMs = 0) {
  const options = {
    port,
    data,
    domains: TEST_DOMAINS.join(','),
    'client-limits': 'off',
    'clock-offset-ms': clockOffsetMs,
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const child = spawn(process.execPath, [START_SCRIPT, ...args], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const ended = new Promise<boolean>((resolve) => child.once('exit', () => resolve(false)))
  const serves = new Promise<boolean>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece: Buffer) => {
        output += piece
        if (output.includes('serves')) resolve(true)
      })
    }
  })
  const killWithUs = () => killGroup(child)
  process.once('exit', killWithUs)
  const kill = async () => {
    killGroup(child)
    await ended
    process.off('exit', killWithUs)
  }
  return { kill, ready: Promise.race([serves, ended]), output: () => output }
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

/** What `npm run reconcile` counts where every file has its record, and every record its files. */
const NOTHING_AMISS = { orphans: 0, missing: 0, unrecognized: 0, due: 0 }

/** Waits for the line with which a tick says that nothing is left to do. */
async function waitForBacklog(output: () => string): Promise<void> {
  await expect.poll(output).toContain('maintenance backlog: galleries 0, files 0, deleted galleries 0')
}

describe.skipIf(!mayStartServices())('a service that is killed (needs services of its own)', () => {
  test(`${CYCLES} times, also while it starts, loses nothing that it acknowledged (seed ${seed})`, async () => {
    const random = seededRandom(seed)
    const data = await temporaryData({ isEmpty: true })
    const port = await freePort()
    const baseUrl = `http://127.0.0.1:${port}`
    const clients = Array.from({ length: CLIENTS }, (_, number) => new CrashClient(number + 1, random))
    const startKilled = async () => {
      const service = start(port, data.path)
      await Promise.race([service.ready, wait(below(3000, random))])
      await service.kill()
    }
    const startWell = async (clockOffsetMs?: number) => {
      const service = start(port, data.path, clockOffsetMs)
      expect(await service.ready, service.output()).toBe(true)
      return service
    }
    const problems = () => clients.flatMap((client) => client.problems)
    const acknowledged = () => clients.reduce((sum, client) => sum + client.acknowledged, 0)

    // On an empty folder, so that a migration may be what is killed.
    for (let times = KILLED_STARTS; times > 0; times--) await startKilled()
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      // Later than a request that was killed holds its Idempotency-Key.
      const service = await startWell((cycle + 1) * MINUTE_MS)
      await Promise.all(clients.map((client) => client.look(baseUrl, false)))
      expect(problems(), `cycle ${cycle}`).toEqual([])
      const working = Promise.all(clients.map((client) => client.work(baseUrl)))
      await wait(WORK_MAX_MS / 3 + below((WORK_MAX_MS * 2) / 3, random))
      // On a slow machine, not before there is something to lose.
      await expect.poll(acknowledged).toBeGreaterThan(cycle + 1)
      await service.kill()
      await working
      for (const client of clients) client.forgetUnrepeatable()
      if (cycle % 5 === 4) await startKilled()
      if (cycle % 20 === 19) console.info(`${cycle + 1} cycles, ${acknowledged()} operations acknowledged`)
    }

    // What died is swept after an hour, and looked for once more an hour later.
    const laterMs = CYCLES * MINUTE_MS + 2 * HOUR_MS
    const last = await startWell(laterMs)
    await Promise.all(clients.map((client) => client.finish(baseUrl)))
    await Promise.all(clients.map((client) => client.look(baseUrl, true)))
    await waitForBacklog(last.output)
    await last.kill()
    const service = await startWell(laterMs + 2 * HOUR_MS)
    await waitForBacklog(service.output)
    const { stdout } = await runCommand('reconcile', ['--port', String(port), '--data', data.path, '--json'])
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject(NOTHING_AMISS)
    await service.kill()
    expect(problems()).toEqual([])
    const retried = clients.reduce((sum, client) => sum + client.retried, 0)
    console.info(
      `${CYCLES} kills, ${acknowledged()} operations acknowledged, ${retried} of them by a retry after a kill`,
    )
    expect(acknowledged()).toBeGreaterThan(CYCLES)
    await data.remove()
  })
})
