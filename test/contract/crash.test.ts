import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../support/random.ts'
import { mayStartServices } from './support/api.ts'
import { runCommand } from './support/command.ts'
import { CrashClient } from './support/crash-clients.ts'
import { NOTHING_AMISS, startGroup, waitForBacklog } from './support/process-group.ts'
import { freePort, temporaryData } from './support/service.ts'

const CLIENTS = 8
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The number of kills. `npm run tintype -- crash --cycles 200` sets it. */
const CYCLES = Number(process.env.CRASH_CYCLES ?? 2)
const KILLED_STARTS = process.env.CRASH_CYCLES === undefined ? 1 : 10
/** The maximum time between two kills. */
const WORK_MAX_MS = process.env.CRASH_CYCLES === undefined ? 750 : 6000
const seed = Number(process.env.TINTYPE_SEED ?? Math.floor(Math.random() * 2 ** 31))

describe.skipIf(!mayStartServices())('a service that is killed (needs services of its own)', () => {
  test(`${CYCLES} times, also during its start, loses nothing that it acknowledged (seed ${seed})`, async () => {
    const random = seededRandom(seed)
    const data = await temporaryData({ isEmpty: true })
    const port = await freePort()
    const baseUrl = `http://127.0.0.1:${port}`
    const clients = Array.from({ length: CLIENTS }, (_, number) => new CrashClient(number + 1, random))
    const startKilled = async () => {
      const service = startGroup({ port, data: data.path })
      await Promise.race([service.ready, wait(below(3000, random))])
      await service.kill()
    }
    const startWell = async (clockOffsetMs: number) => {
      const service = startGroup({ port, data: data.path, 'clock-offset-ms': clockOffsetMs })
      expect(await service.ready, service.output()).toBe(true)
      return service
    }
    const problems = () => clients.flatMap((client) => client.problems)
    const acknowledged = () => clients.reduce((sum, client) => sum + client.acknowledged, 0)

    // On an empty folder, so that a kill may interrupt a migration.
    for (let times = KILLED_STARTS; times > 0; times--) await startKilled()
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      // Later than the lease of a killed request with an Idempotency-Key.
      const service = await startWell((cycle + 1) * MINUTE_MS)
      await Promise.all(clients.map((client) => client.check(baseUrl, false)))
      expect(problems(), `cycle ${cycle}`).toEqual([])
      const working = Promise.all(clients.map((client) => client.work(baseUrl)))
      await wait(WORK_MAX_MS / 3 + below((WORK_MAX_MS * 2) / 3, random))
      // On a slow machine, the kill waits until there is something to lose.
      await expect.poll(acknowledged).toBeGreaterThan(cycle + 1)
      await service.kill()
      await working
      for (const client of clients) client.forgetUnrepeatable()
      if (cycle % 5 === 4) await startKilled()
      if (cycle % 20 === 19) console.info(`${cycle + 1} cycles, ${acknowledged()} operations acknowledged`)
    }

    // Interrupted uploads are swept after an hour, and rechecked an hour later.
    const laterMs = CYCLES * MINUTE_MS + 2 * HOUR_MS
    const last = await startWell(laterMs)
    await Promise.all(clients.map((client) => client.finish(baseUrl)))
    await Promise.all(clients.map((client) => client.check(baseUrl, true)))
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
