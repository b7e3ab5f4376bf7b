import { describe, expect, test } from 'vitest'
import { below, pick, type Random, seededRandom } from '../../support/random.ts'
import { exploreAll, exploreReduced, type Run } from './explore.ts'
import { areIndependent, describeQueries } from './footprint.ts'
import type { Call, Trace } from './scheduler.ts'

const PROGRAMS = 300

/** One program: its steps, each with the calls that are wanted at once. */
type Program = { reads: Set<string>; writes: Set<string> }[][]

function randomProgram(random: Random): Program {
  const cells = ['a', 'b', 'c', 'd']
  const call = () => {
    const some = () => new Set(random() < 0.6 ? [pick(cells, random)] : [])
    return { reads: some(), writes: some() }
  }
  return Array.from({ length: 1 + below(3, random) }, () =>
    Array.from({ length: random() < 0.2 ? 2 : 1 }, () => call()),
  )
}

/** Runs programs without effect, and records every order in its normal form. */
function runnerOf(programs: readonly Program[], classes: Set<string>): Run {
  return async (choose) => {
    const calls: Call[] = []
    const held: Call[] = []
    const wanted = programs.map(() => 0)
    const step = programs.map(() => -1)
    const goOn = (actor: number) => {
      if (held.some((call) => call.actor === actor)) return
      step[actor] = (step[actor] ?? -1) + 1
      for (const footprint of programs[actor]?.[step[actor] ?? 0] ?? []) {
        const number = wanted[actor] ?? 0
        wanted[actor] = number + 1
        held.push({ actor, id: `${actor}.${number}`, label: '', footprint, wantedAt: calls.length })
      }
    }
    for (const actor of programs.keys()) goOn(actor)
    const trace: Trace = { calls, events: [], deaths: new Set() }
    while (held.length > 0) {
      const next = choose(held, calls.length)
      if (!next) return trace
      calls.push(next)
      held.splice(held.indexOf(next), 1)
      goOn(next.actor)
    }
    classes.add(normalForm(calls))
    return trace
  }
}

/**
 * Returns the normal form, which is equal for equivalent orders: of the possible next calls, the first by its id
 * (Anisimov and Knuth, 1979).
 */
function normalForm(calls: readonly Call[]): string {
  const left = [...calls]
  const form: string[] = []
  while (left.length > 0) {
    const free = left.filter((call, at) => left.slice(0, at).every((other) => canSwap(other, call, calls)))
    const [first] = free.sort((one, other) => (one.id < other.id ? -1 : 1))
    if (!first) break
    form.push(first.id)
    left.splice(left.indexOf(first), 1)
  }
  return form.join(' ')
}

function canSwap(earlier: Call, later: Call, calls: readonly Call[]): boolean {
  const isOfProgram = earlier.actor === later.actor && calls.indexOf(earlier) < later.wantedAt
  return !isOfProgram && areIndependent(earlier.footprint, later.footprint)
}

describe('the reduction of orders', () => {
  test(`runs one order of each class of ${PROGRAMS} sets of random programs, and no other`, async () => {
    let saved = 0
    for (let seed = 1; seed <= PROGRAMS; seed++) {
      const random = seededRandom(seed)
      const programs = Array.from({ length: 2 + below(2, random) }, () => randomProgram(random))
      const [all, some] = [new Set<string>(), new Set<string>()]
      const whole = await exploreAll(runnerOf(programs, all))
      const reduced = await exploreReduced(runnerOf(programs, some))
      expect([...some].sort(), `seed ${seed}`).toEqual([...all].sort())
      expect(reduced.orders, `seed ${seed}`).toBe(all.size)
      saved += whole.orders - reduced.orders - reduced.redundant
    }
    expect(saved).toBeGreaterThan(0)
  })
})

test('a statement writes its table and those of its triggers, and reads the tables that it names', () => {
  const { footprint, label } = describeQueries('DB', [
    'insert into "images" select 1 WHERE EXISTS (SELECT 1 FROM "file_cleanup" WHERE image_id = 1)',
    'select "id" from "galleries" where "galleries"."hash" = ?',
  ])
  expect([...footprint.writes].sort()).toEqual([
    'DB galleries',
    'DB gallery_marks',
    'DB gallery_order_marks',
    'DB images',
  ])
  expect([...footprint.reads].sort()).toEqual(['DB file_cleanup', 'DB galleries', 'DB images'])
  expect(label).toBe('writes galleries, gallery_marks, gallery_order_marks, images')
})
