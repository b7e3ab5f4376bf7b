// `npm run tintype -- bench:limiter`: what the rate limiter costs a status request, and how many files it leaves. With `--before DIR`, another
// checkout that has been built is measured in turns.

import { readdirSync, rmSync, statSync } from 'node:fs'
import type { Agent } from 'node:http'
import path from 'node:path'
import { fail, ROOT } from '../tools/install/installed.mjs'
import { readCommandLine } from '../tools/shared/command-line.ts'
import { runScript } from '../tools/shared/processes.ts'
import { addressOf, keepingAgent, send } from './support/clients.ts'
import { cpuMs, workerdOf } from './support/process.ts'
import { newDataFolder, startService } from './support/service.ts'
import { median } from './support/statistics.ts'

const USAGE = `Usage: npm run tintype -- bench:limiter [options]
Measures the CPU of workerd for a status request by how well the limiter knows its client.
  --addresses N   how many clients there are (2000)
  --rounds N      how often each checkout is measured, on new data (3)
  --before DIR    another checkout, built, to compare with
  --port N        the port (18791)
  --help          this text`

/** A client may ask five times at once: the sixth time it is refused, and the seventh it is known to be. */
const STEPS = ['a new client', 'known', 'known', 'known', 'known', 'refused', 'refused again']
const CLIENTS = 4
/** So many clients go through all steps before the next ones do: before any has a token back. */
const BLOCK = 100

const { values } = readCommandLine({
  usage: USAGE,
  options: {
    addresses: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    before: { type: 'string' },
    port: { type: 'string', default: '18791' },
  },
})
runScript('build/build.ts')
const [addresses, rounds, port] = [values.addresses, values.rounds, values.port].map(Number)
const checkouts = [...(values.before === undefined ? [] : [path.resolve(values.before)]), ROOT]
/** CPU in ms of each request, by checkout and step. */
const measured = new Map<string, Map<string, number[]>>(checkouts.map((checkout) => [checkout, new Map()]))
const left = new Map<string, string>()

for (let round = 0; round < Number(rounds); round++) for (const checkout of checkouts) await measure(checkout)
for (const [checkout, steps] of measured) {
  console.log(checkout === ROOT ? 'this checkout' : `before: ${checkout}`)
  for (const [step, costs] of steps) {
    const sorted = costs.toSorted((a, b) => a - b)
    console.log(`  ${step}: ${median(costs).toFixed(2)} ms (${sorted.map((ms) => ms.toFixed(2)).join(', ')})`)
  }
  console.log(`  ${left.get(checkout)}`)
}

async function measure(checkout: string) {
  const data = newDataFolder()
  const service = await startService(Number(port), {}, data, checkout)
  const workerd = workerdOf(service.pid)
  const agent = keepingAgent()
  try {
    // The first round starts what is started once, and is not measured.
    for (let client = 0; client < 50; client++) await ask(agent, 1_000_000 + client, 0)
    const spentMs = STEPS.map(() => 0)
    for (let first = 0; first < Number(addresses); first += BLOCK) {
      for (const at of STEPS.keys()) {
        const before = cpuMs(workerd)
        let next = first
        await Promise.all(
          Array.from({ length: CLIENTS }, async () => {
            while (next < first + BLOCK) await ask(agent, next++, at)
          }),
        )
        spentMs[at] = (spentMs[at] ?? 0) + cpuMs(workerd) - before
      }
    }
    const costs = measured.get(checkout)
    for (const step of new Set(STEPS)) {
      const [sum, count] = [
        STEPS.reduce((all, one, at) => all + (one === step ? (spentMs[at] ?? 0) : 0), 0),
        STEPS.filter((one) => one === step).length,
      ]
      costs?.set(step, [...(costs.get(step) ?? []), sum / count / Number(addresses)])
    }
    left.set(checkout, filesOf(data))
  } finally {
    agent.destroy()
    await service.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function ask(agent: Agent, client: number, at: number) {
  const type = 'application/json'
  const body = Buffer.from('{"urls":["x"]}')
  const { status, text } = await send({
    port: Number(port),
    path: '/images/status',
    address: addressOf(client),
    type,
    body,
    agent,
  })
  // On a slow machine a token has come back meanwhile.
  const expected = at < 5 ? [200] : [429, 200]
  if (!expected.includes(status)) fail(`${STEPS[at]}: ${status} ${text}`)
}

/** The databases of the limiter's objects. */
function filesOf(data: string) {
  const folder = path.join(data, 'do')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.sqlite'))
  const bytes = files.reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0)
  return `${files.length} databases, ${Math.round(bytes / 1000)} kB`
}
