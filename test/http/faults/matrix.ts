import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, beforeEach, expect, vi } from 'vitest'
import { codec } from '../../../src/image/codec.ts'
import { inParallel } from '../../contract/support/in-parallel.ts'
import { emptyStore } from '../../domain/store.ts'
import { isAllDone } from '../../domain/stored.ts'
import { type Flow, type ReadyFlow, TICKS_MS } from './flows.ts'
import { Ledger } from './ledger.ts'
import {
  emptyEdgeCache,
  FATES,
  type Fate,
  type ReceivedResponse,
  type StruckService,
  speedUp,
  strikeGlobals,
  struckService,
} from './struck-service.ts'

/** Whether every call meets every fate, as with `npm run tintype -- faults`, or one of them in turn. */
export const IS_WHOLE = env.TEST_SETTINGS.FAULTS === 'all'

/**
 * Of so many calls one meets its fate within `npm test`, each with `npm run tintype -- test:thorough`. It shares no
 * factor with the number of fates, so that all of them occur.
 */
export const ONE_OF = IS_WHOLE || env.TEST_SETTINGS.THOROUGH !== undefined ? 1 : 11

/** Timeouts expire this many times sooner. */
const SOONER = 20
const AT_ONCE = 24

/** The service without faults, on the shards of the running file. */
export let service = struckService()

/**
 * Prepares the isolate of a file, so that faults strike its edge cache and its codec, and hanging calls hang for a
 * moment.
 */
export function prepareIsolate(): void {
  beforeAll(() => {
    service = struckService()
    strikeGlobals()
    speedUp(SOONER)
    for (const method of ['error', 'log'] as const) vi.spyOn(console, method).mockImplementation(() => {})
  })
  afterAll(() => {
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
    codec.release()
  })
  beforeEach(emptyStore)
}

/** A flow of which one call meets its fate. */
export interface Case {
  name: string
  fate: Fate
  call: number
  prepare: (ledger: Ledger) => Promise<ReadyFlow>
}

/** Calls that meet a fate outside the whole matrix. */
export interface Sample {
  /** The number of the first call's fate. Those of later calls follow backwards. */
  firstFate: number
  /** Leaves out the other calls. */
  calls?: 'even' | 'odd'
  /** The name of calls that meet all fates. */
  allFatesOf?: string
}

/** Returns the cases of a flow with these calls: each call with all fates, or those of the sample with one fate each. */
export function casesOf(
  name: string,
  calls: readonly string[],
  { firstFate, calls: half, allFatesOf }: Sample,
  prepare: Case['prepare'],
): Case[] {
  const isIn = (at: number) => {
    const isOfHalf = half === undefined || at % 2 === (half === 'even' ? 0 : 1)
    return isOfHalf && Math.floor(half === undefined ? at : at / 2) % ONE_OF === 0
  }
  return calls.flatMap((callName, at) =>
    Object.entries(FATES)
      .filter((_, number, { length }) => {
        return IS_WHOLE || callName === allFatesOf || (isIn(at) && (number + at) % length === firstFate)
      })
      .map(([fateName, fate]) => ({
        name: `${name}: call ${at + 1}, ${callName}, ${fateName}`,
        fate,
        call: at + 1,
        prepare,
      })),
  )
}

/** Returns the response of a flow that meets its fate; status 0 if the isolate died without a response. */
async function actStruck(struck: StruckService, fate: Fate, act: ReadyFlow['act']): Promise<ReceivedResponse> {
  const response = act(struck)
  if (!fate.isDeath) return response
  return Promise.race([response, struck.struck.then(() => ({ status: 0, bytes: new Uint8Array() }))])
}

async function run({ name, fate, call, prepare }: Case, all: Ledger) {
  const ledger = all.labelled(name)
  const struck = struckService(fate.plan(call))
  const ready = await prepare(ledger)
  const first = await actStruck(struck, fate, ready.act)
  if (fate.lateUntil === 'the response') await struck.release()
  await ready.settle(first, service.ask, ledger)
  return { name, struck, fate, finish: ready.finish }
}

/**
 * Runs all cases, and ticks the cron after them for a day. Returns the faults soon after and at the end, and the cases
 * whose call was never made. After a single case, ticks without work are left out, except the last.
 */
export async function judge(cases: readonly Case[], ticksMs: readonly number[] = TICKS_MS, atOnce = AT_ONCE) {
  const ledger = new Ledger()
  const done = await inParallel(cases, atOnce, (one) => run(one, ledger))
  const problems = await ledger.audit(service.ask, 0, false)
  for (const [at, offsetMs] of ticksMs.entries()) {
    const isBetween = at > 0 && at < ticksMs.length - 1
    if (cases.length === 1 && isBetween && (await isAllDone())) continue
    await service.tick(offsetMs)
    if (at === 0) for (const { struck, fate } of done) if (fate.lateUntil === 'the sweep') await struck.release()
  }
  problems.push(...(await ledger.audit(service.ask, ticksMs.at(-1) ?? 0, true)))
  for (const { name, finish } of done) {
    for (const problem of (await finish?.(service.ask)) ?? []) problems.push(`${name}: ${problem}`)
  }
  return { problems, unreached: done.filter(({ struck }) => !struck.wasStruck()).map(({ name }) => name) }
}

/** Returns the cases of all flows, from the calls that each makes without faults. */
export async function casesOfAll(flows: Record<string, Flow>, sample: Sample): Promise<Case[]> {
  const cases: Case[] = []
  for (const [name, flow] of Object.entries(flows)) {
    const counted = struckService()
    const ready = await flow(service.ask, new Ledger())
    await ready.act(counted)
    cases.push(...casesOf(name, counted.calls, sample, (ledger) => flow(service.ask, ledger)))
    await emptyStore()
  }
  return cases
}

/** Judges each case by itself. */
export async function judgeAlone(cases: readonly Case[]): Promise<void> {
  for (const one of cases) {
    await emptyStore()
    await emptyEdgeCache()
    expect(await judge([one]), one.name).toEqual({ problems: [], unreached: [] })
  }
}
