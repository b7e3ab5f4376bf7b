import { createSequence } from '../../../src/domain/ids/image-id.ts'
import { openStore, type StorageBindings } from '../../../src/storage/store.ts'
import { HOUR_MS } from '../../../src/units.ts'
import { bindShards, emptyStore } from '../store.ts'
import { following, type Order, type Run } from './explore.ts'
import { type Done, judge } from './judge.ts'
import { CLIENTS_AFTER_MS, OPERATIONS, type Operation, type OperationName, type Subject, stepOf } from './operations.ts'
import { prepare, SCENES, type Scene, setApart } from './scenes.ts'
import { type Choose, runOrder, type Trace } from './scheduler.ts'

/** Concurrent operations on the content of a scene, on a number of shards. Some of their processes die. */
export interface Meeting {
  scene: string
  names: readonly OperationName[]
  shards: number
  /** The number of calls after which the process of each operation dies; undefined if it does not. */
  deaths?: readonly (number | undefined)[] | undefined
}

/** An order that breaks a promise. */
interface Violation {
  meeting: Meeting
  trace: Trace
  problems: string[]
}

/** The number of orders that are judged together, whose files are one page of a list. */
const JUDGED_TOGETHER = 100
/** Each order is this much earlier than the previous one, whose work is not due in it. */
const APART_MS = 100 * HOUR_MS
/** The maximum number of orders to shorten a violation. */
const SHRINKING_ORDERS = 60
const LATEST_MS = Date.UTC(2040, 0, 1)

/** Returns a readable description of a meeting. */
export function nameOf({ scene, names, shards, deaths = [] }: Meeting): string {
  const operations = names.map((name, at) => {
    const after = deaths[at]
    return after === undefined ? name : `${name}, whose process dies after call ${after}`
  })
  return `${scene}, ${shards} ${shards === 1 ? 'shard' : 'shards'}: ${operations.join(' x ')}`
}

/** Returns all pairs of operations in a scene, except two reads, and operations that have nothing in common. */
export function pairsOf(sceneName: string, shards: number): Meeting[] {
  const { operations } = sceneOf(sceneName)
  return operations.flatMap((one, at) =>
    operations.slice(at).flatMap((other) => {
      const both: Operation[] = [OPERATIONS[one], OPERATIONS[other]]
      const isApart = both.every(({ isRead }) => isRead) || (one === other && both.every(({ isAlone }) => isAlone))
      return isApart ? [] : [{ scene: sceneName, names: [one, other], shards }]
    }),
  )
}

function sceneOf(name: string): Scene {
  const scene = SCENES[name]
  if (!scene) throw new Error(`there is no scene "${name}"`)
  return scene
}

/** Numbers are unique in this isolate, which remembers Idempotency-Keys. */
let numbered = 0

/** Runs the orders of meetings on empty databases, and judges them. */
export class Referee {
  readonly #bindings: StorageBindings
  readonly #nextSequenceNumber = createSequence()
  #waiting: (Done & { meeting: Meeting })[] = []
  #orders = 0
  readonly violations: Violation[] = []

  private constructor(bindings: StorageBindings) {
    this.#bindings = bindings
  }

  /** Returns a referee of this many empty databases. */
  static async over(shards: number): Promise<Referee> {
    const bindings = await bindShards(shards)
    await emptyStore()
    return new Referee(bindings)
  }

  /** Returns the number of orders so far. */
  get orders(): number {
    return this.#orders
  }

  /** Runs the orders of a meeting. */
  runner(meeting: Meeting): Run {
    return (choose) => this.#run(meeting, choose)
  }

  async #run(meeting: Meeting, choose: Choose): Promise<Trace> {
    const { names, shards, deaths = [] } = meeting
    const scene = sceneOf(meeting.scene)
    this.#orders++
    const subject: Subject = {
      prefix: `x${++numbered}-`,
      startMs: LATEST_MS - this.#waiting.length * APART_MS,
      shard: shards - 1,
      start: scene.start,
      images: new Map(),
      keyedResponses: [],
      problems: [],
    }
    const store = openStore(this.#bindings)
    await setApart(store, subject, APART_MS)
    await prepare(store, scene, subject, this.#nextSequenceNumber)
    const turns = names.map((_, at) => ({
      // In a share, two images arrive.
      sequenceNumber: this.#nextSequenceNumber(subject.startMs + CLIENTS_AFTER_MS + at),
      image: `image${at}`,
    }))
    const { trace, end } = await runOrder(
      this.#bindings,
      names.map((name, at) => ({
        name,
        act: (stage) => OPERATIONS[name].act({ subject, stage, ...(turns[at] ?? { sequenceNumber: 0, image: '' }) }),
        diesAfter: deaths[at],
      })),
      choose,
    )
    const steps = names.map((name, at) =>
      stepOf(
        name,
        turns[at] ?? { sequenceNumber: 0, image: '' },
        names.filter((_, other) => other !== at),
      ),
    )
    const { images, keyedResponses, problems } = subject
    const told = { images: new Map(images), keyedResponses: [...keyedResponses], problems: [...problems] }
    this.#waiting.push({ subject: { ...subject, ...told }, trace, steps, meeting })
    await end()
    if (this.#waiting.length >= JUDGED_TOGETHER) await this.judgeAll()
    return trace
  }

  /** Judges the orders since the last call, and empties the databases. */
  async judgeAll(): Promise<void> {
    const orders = this.#waiting
    this.#waiting = []
    if (orders.length === 0) return
    const found = await judge(openStore(this.#bindings), orders)
    for (const done of orders) {
      const problems = found.get(done)
      if (problems) this.violations.push({ meeting: done.meeting, trace: done.trace, problems })
    }
    await emptyStore()
  }

  /** Returns the violation of one order. */
  async #problemsOf(meeting: Meeting, order: Order): Promise<Violation | undefined> {
    await this.judgeAll()
    const before = this.violations.length
    await this.#run(meeting, following(order))
    await this.judgeAll()
    return this.violations.splice(before)[0]
  }

  /**
   * Returns the shortest violation that is found from one: with the fewest operations, and the fewest switches between
   * them.
   */
  async shrink(violation: Violation): Promise<Violation> {
    let shortest = violation
    let left = SHRINKING_ORDERS
    for (let isShorter = true; isShorter; ) {
      isShorter = false
      for (const candidate of shorterThan(shortest)) {
        if (left-- <= 0) return shortest
        const found = await this.#problemsOf(candidate.meeting, candidate.order)
        if (!found || weightOf(found) >= weightOf(shortest)) continue
        shortest = found
        isShorter = true
        break
      }
    }
    return shortest
  }
}

/**
 * Weighs a violation, so that the shortest is reported. Operations weigh more than switches between them, and these
 * more than calls.
 */
export function weightOf({ meeting, trace }: Violation): number {
  return (
    meeting.names.length * 1_000_000 + switchesOf(trace.calls.map(({ actor }) => actor)) * 1000 + trace.calls.length
  )
}

function switchesOf(actors: readonly number[]): number {
  return actors.filter((actor, at) => at > 0 && actors[at - 1] !== actor).length
}

/**
 * Yields orders without one of the operations, and orders with a run of calls of one operation moved to another of its
 * runs.
 */
function* shorterThan({ meeting, trace }: Violation): Generator<{ meeting: Meeting; order: Order }> {
  const ids = trace.calls.map(({ id }) => id)
  const { names, deaths = [] } = meeting
  if (names.length > 1) {
    for (const left of names.keys()) {
      const order = ids.flatMap((id) => {
        const [actor = 0, call] = id.split('.').map(Number)
        return actor === left ? [] : [`${actor > left ? actor - 1 : actor}.${call}`]
      })
      const rest = <T>(list: readonly T[]) => list.filter((_, at) => at !== left)
      yield { meeting: { ...meeting, names: rest(names), deaths: rest(names.map((_, at) => deaths[at])) }, order }
    }
  }
  const runs: string[][] = []
  for (const [at, id] of ids.entries()) {
    if (at > 0 && trace.calls[at - 1]?.actor === trace.calls[at]?.actor) runs.at(-1)?.push(id)
    else runs.push([id])
  }
  for (const from of runs.keys()) {
    for (const to of [from + 2, from - 2]) {
      const [moved, target] = [runs[from], runs[to]]
      if (!moved || !target || runs.length < 3) continue
      const joined = to > from ? [...moved, ...target] : [...target, ...moved]
      const order = runs.flatMap((run, at) => (at === from ? [] : at === to ? joined : run))
      yield { meeting, order }
    }
  }
}

/** Returns a readable report of an order: each call, the responses, and the fault. */
export function tell({ meeting, trace, problems }: Violation): string {
  const nameOfActor = (actor: number) => {
    const { names } = meeting
    const isTwice = names.filter((name) => name === names[actor]).length > 1
    return `${names[actor]}${isTwice ? ` ${actor + 1}` : ''}`
  }
  const deadAt = (at: number) =>
    trace.events
      .filter(({ operation, ended }) => trace.deaths.has(operation) && ended === at + 1)
      .map(({ operation }) => `     (the process of ${nameOfActor(operation)} dies)`)
  return [
    nameOf(meeting),
    ...trace.calls.flatMap(({ actor, label }, at) => [
      `  ${String(at + 1).padStart(2)}. ${nameOfActor(actor)}: ${label}`,
      ...deadAt(at),
    ]),
    ...trace.events.map(({ operation, response }) => `  ${nameOfActor(operation)} answers: ${response ?? 'nothing'}`),
    ...problems.map((problem) => `  WRONG: ${problem}`),
  ].join('\n')
}
