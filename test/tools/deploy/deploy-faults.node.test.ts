import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { configFileOf } from '../../../tools/deploy/deployment.ts'
import { runScript } from '../running.ts'
import {
  addTintype,
  assetPathsOf,
  currentOf,
  type FakeCloudflare,
  type Fault,
  startFakeCloudflare,
} from './fake-cloudflare.ts'

/**
 * Each call of a deployment, an upgrade and a rollback fails once in each way, and the same command is repeated. It
 * takes more than half an hour, so only `npm run tintype -- faults:deploy` runs it. A run that was stopped continues
 * where it was: generated/deploy-faults-* has the cases that passed with the same code.
 */
const FAULTS: readonly Fault[] = [403, 429, 500, 'kill']
/** More calls than any of them makes. */
const [CALLS_MAX, ROLLBACK_CALLS_MAX] = [60, 12]
const NAME = `faults-${process.pid}`

const ROOT = join(import.meta.dirname, '../../..')
const JOURNAL = join(ROOT, 'generated', `deploy-faults-${digestOfCode()}`)
const passed = new Set(existsSync(JOURNAL) ? readFileSync(JOURNAL, 'utf8').split('\n') : [])
afterEach(({ task }) => {
  if (task.result?.state !== 'fail' && !passed.has(task.name)) appendFileSync(JOURNAL, `${task.name}\n`)
})

const folder = mkdtempSync(join(tmpdir(), 'tintype-faults-'))
const deploymentFile = join(folder, 'deployment.json')
afterAll(() => {
  rmSync(folder, { recursive: true })
  rmSync(configFileOf(NAME), { force: true })
})

const deploy = (cloudflare: FakeCloudflare) =>
  runScript(
    'deploy/deploy.ts',
    ['--deployment', deploymentFile, '--name', NAME, '--domain', 'pics.example', '--workers-dev'],
    { cloudflare },
  )
const rollBack = (cloudflare: FakeCloudflare) => runScript('tintype.ts', ['rollback', '--name', NAME], { cloudflare })

/** Returns a digest of all that a deployment runs. */
function digestOfCode(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')))
  for (const folder of ['tools/deploy', 'tools/shared', 'test/tools/deploy', 'migrations']) {
    for (const name of readdirSync(join(ROOT, folder)).toSorted()) hash.update(readFileSync(join(ROOT, folder, name)))
  }
  return hash.digest('hex').slice(0, 16)
}

/** An account that has another Tintype and another Worker. */
async function startAccount(): Promise<FakeCloudflare> {
  rmSync(deploymentFile, { force: true })
  const cloudflare = await startFakeCloudflare('pics.example', 'other.example')
  addTintype(cloudflare, 'other', 'other', 'other-files')
  cloudflare.zones[1]?.routes.push({ id: '1', pattern: 'other.example/*', script: 'other' })
  return cloudflare
}

/** Returns the relevant state of the account, with names in place of ids. */
function stateOf({ databases, buckets, workers, zones }: FakeCloudflare) {
  const nameOf = (id: string | undefined) => [...databases].find(([, { uuid }]) => uuid === id)?.[0]
  return {
    databases: [...databases].map(([name, { database }]) => [name, database.query('SELECT name FROM d1_migrations')]),
    buckets: [...buckets],
    workers: [...workers].map(([name, worker]) => ({
      name,
      bindings: currentOf(worker)?.metadata.bindings.map(({ id, ...binding }) => ({ ...binding, store: nameOf(id) })),
      assets: [currentOf(worker)].flatMap((version) => (version ? assetPathsOf(version) : [])),
      ...{ schedules: worker.schedules, observability: worker.observability, hasWorkersDev: worker.hasWorkersDev },
    })),
    routes: zones.map(({ routes }) => routes.map(({ pattern, script }) => ({ pattern, script }))),
  }
}

/** Returns what a command does in an account without faults, and its calls. */
async function withoutFaults(
  cloudflare: FakeCloudflare,
  command: (cloudflare: FakeCloudflare) => ReturnType<typeof runScript>,
) {
  cloudflare.requests.length = 0
  const { code, stderr } = await command(cloudflare)
  expect(code, stderr).toBe(0)
  return { state: stateOf(cloudflare), calls: cloudflare.requests.map(({ operation }) => operation) }
}

/** Runs a command with one fault, then once more without. Returns the state after each success. */
async function healed(
  cloudflare: FakeCloudflare,
  command: (cloudflare: FakeCloudflare) => ReturnType<typeof runScript>,
  { at, fault }: { at: number; fault: Fault },
) {
  cloudflare.requests.length = 0
  cloudflare.faultOf = (number) => (number === at ? fault : undefined)
  const failing = await command(cloudflare)
  cloudflare.faultOf = undefined
  const first = failing.code === 0 ? [stateOf(cloudflare)] : []
  const { code, stderr } = await command(cloudflare)
  expect(code, stderr).toBe(0)
  return [...first, stateOf(cloudflare)]
}

/** Every call that a command may make, and each fault of it. */
const CASES = FAULTS.flatMap((fault) => Array.from({ length: CALLS_MAX }, (_, at) => ({ at, fault })))

describe('after a single fault of any call, the same command heals the deployment', () => {
  describe('of the first deployment', () => {
    let clean: Awaited<ReturnType<typeof withoutFaults>>
    beforeAll(async () => {
      const cloudflare = await startAccount()
      clean = await withoutFaults(cloudflare, deploy)
      await cloudflare.close()
    })

    test('has these calls', () => {
      expect(clean.calls.length).toBeGreaterThan(20)
      expect(clean.calls.length).toBeLessThanOrEqual(CALLS_MAX)
    })

    test.for(CASES)('call $at of the deployment: $fault', async (one, { task }) => {
      if (passed.has(task.name) || clean.calls[one.at] === undefined) return
      const cloudflare = await startAccount()
      const states = await healed(cloudflare, deploy, one)
      await cloudflare.close()
      for (const state of states) expect(state, clean.calls[one.at]).toEqual(clean.state)
      expect(JSON.parse(readFileSync(deploymentFile, 'utf8'))).toMatchObject({ name: NAME, database: NAME })
    })
  })

  describe('of an upgrade, and of a rollback', () => {
    let cloudflare: FakeCloudflare
    let upgrade: Awaited<ReturnType<typeof withoutFaults>>
    beforeAll(async () => {
      cloudflare = await startAccount()
      await deploy(cloudflare)
      upgrade = await withoutFaults(cloudflare, deploy)
    })
    afterAll(() => cloudflare.close())

    test.for(CASES)('call $at of the upgrade: $fault', async (one, { task }) => {
      if (passed.has(task.name) || upgrade.calls[one.at] === undefined) return
      const states = await healed(cloudflare, deploy, one)
      for (const state of states) expect(state, upgrade.calls[one.at]).toEqual(upgrade.state)
    })

    test.for(CASES.filter(({ at }) => at < ROLLBACK_CALLS_MAX))(
      'call $at of the rollback: $fault',
      async (one, { task }) => {
        if (passed.has(task.name)) return
        const worker = cloudflare.workers.get(NAME) ?? expect.fail()
        const deployed = worker.deployed.length
        const before = worker.deployed.at(-2)?.version
        await healed(cloudflare, rollBack, one)
        expect(worker.deployed.at(-1)?.version).toBe(before)
        worker.deployed.length = deployed
      },
    )
  })
})
