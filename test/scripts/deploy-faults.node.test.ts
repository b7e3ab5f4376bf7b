import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { configFileOf } from '../../scripts/deployment.mjs'
import { addTintype, currentOf, type FakeCloudflare, type Fault, startFakeCloudflare } from './fake-cloudflare.ts'
import { runScript } from './running.ts'

/**
 * Each call of a deployment, an upgrade and a rollback fails once in each way, and the same command is run again. It takes some
 * 20 minutes, so only `DEPLOY_FAULTS=all npm test -- --project unit-node test/scripts/deploy-faults` runs it.
 */
const isOn = process.env.DEPLOY_FAULTS === 'all'
const FAULTS: readonly Fault[] = [403, 429, 500, 'kill']
const NAME = `faults-${process.pid}`

const folder = mkdtempSync(join(tmpdir(), 'tintype-faults-'))
const deploymentFile = join(folder, 'deployment.json')
afterAll(() => {
  rmSync(folder, { recursive: true })
  rmSync(configFileOf(NAME), { force: true })
})

const deploy = (cloudflare: FakeCloudflare) =>
  runScript(
    'deploy.mjs',
    ['--deployment', deploymentFile, '--name', NAME, '--domain', 'pics.example', '--workers-dev'],
    { cloudflare },
  )
const rollBack = (cloudflare: FakeCloudflare) => runScript('tintype.mjs', ['rollback', '--name', NAME], { cloudflare })

/** An account that has another Tintype and another Worker. */
async function startAccount(): Promise<FakeCloudflare> {
  rmSync(deploymentFile, { force: true })
  const cloudflare = await startFakeCloudflare('pics.example', 'other.example')
  addTintype(cloudflare, 'other', 'other', 'other-files')
  cloudflare.zones[1]?.routes.push({ id: '1', pattern: 'other.example/*', script: 'other' })
  return cloudflare
}

/** The account as it matters: ids are replaced by names. */
function stateOf({ databases, buckets, workers, zones }: FakeCloudflare) {
  const nameOf = (id: string | undefined) => [...databases].find(([, { uuid }]) => uuid === id)?.[0]
  return {
    databases: [...databases].map(([name, { database }]) => [name, database.query('SELECT name FROM d1_migrations')]),
    buckets: [...buckets],
    workers: [...workers].map(([name, worker]) => ({
      name,
      bindings: currentOf(worker)?.metadata.bindings.map(({ id, ...binding }) => ({ ...binding, store: nameOf(id) })),
      ...{ schedules: worker.schedules, observability: worker.observability, hasWorkersDev: worker.hasWorkersDev },
    })),
    routes: zones.map(({ routes }) => routes.map(({ pattern, script }) => ({ pattern, script }))),
  }
}

/** Returns what a command does in an account without faults, and how many calls it makes. */
async function withoutFaults(cloudflare: FakeCloudflare, command: (cloudflare: FakeCloudflare) => Promise<unknown>) {
  cloudflare.requests.length = 0
  await command(cloudflare)
  return { state: stateOf(cloudflare), calls: cloudflare.requests.map(({ operation }) => operation) }
}

/** Runs a command with one fault, then once more without. */
async function healed(
  cloudflare: FakeCloudflare,
  command: (cloudflare: FakeCloudflare) => ReturnType<typeof runScript>,
  { at, fault }: { at: number; fault: Fault },
) {
  cloudflare.requests.length = 0
  cloudflare.faultOf = (number) => (number === at ? fault : undefined)
  const failing = await command(cloudflare)
  cloudflare.faultOf = undefined
  const first = failing.code === 0 ? stateOf(cloudflare) : undefined
  const { code, stderr } = await command(cloudflare)
  expect(code, stderr).toBe(0)
  return { failing, first, state: stateOf(cloudflare) }
}

describe.skipIf(!isOn)('whichever call fails once, the same command heals it', () => {
  test.for(FAULTS)('of the first deployment, with %s', async (fault) => {
    const clean = await startAccount()
    const { state, calls } = await withoutFaults(clean, deploy)
    await clean.close()
    expect(calls.length).toBeGreaterThan(25)
    for (const [at, operation] of calls.entries()) {
      const cloudflare = await startAccount()
      const result = await healed(cloudflare, deploy, { at, fault })
      await cloudflare.close()
      const what = `${fault} at call ${at}, ${operation}: ${result.failing.stderr}`
      expect(result.state, what).toEqual(state)
      // A success is one: what it deployed is whole.
      if (result.first) expect(result.first, what).toEqual(state)
      expect(result.failing.stderr, what).not.toContain('token"')
      expect(JSON.parse(readFileSync(deploymentFile, 'utf8')), what).toMatchObject({ name: NAME, database: NAME })
    }
  })

  test.for(FAULTS)('of an upgrade and a rollback, with %s', async (fault) => {
    const cloudflare = await startAccount()
    await deploy(cloudflare)
    const upgrade = await withoutFaults(cloudflare, deploy)
    for (const [at, operation] of upgrade.calls.entries()) {
      const result = await healed(cloudflare, deploy, { at, fault })
      const what = `${fault} at call ${at}, ${operation}: ${result.failing.stderr}`
      expect(result.state, what).toEqual(upgrade.state)
      if (result.first) expect(result.first, what).toEqual(upgrade.state)
    }
    const worker = cloudflare.workers.get(NAME) ?? expect.fail()
    const [before, serving] = worker.deployed.slice(-2)
    const { calls } = await withoutFaults(cloudflare, rollBack)
    expect(worker.deployed.pop()?.version).toBe(before?.version)
    expect(calls.length).toBeGreaterThan(4)
    for (const [at, operation] of calls.entries()) {
      const deployed = worker.deployed.length
      await healed(cloudflare, rollBack, { at, fault })
      expect(worker.deployed.at(-1)?.version, `${fault} at call ${at}, ${operation}`).toBe(before?.version)
      worker.deployed.length = deployed
      expect(worker.deployed.at(-1)).toBe(serving)
    }
    await cloudflare.close()
  })
})
