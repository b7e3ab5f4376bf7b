import { runDatabaseCalls } from '../../../src/storage/calls.ts'
import { openStore, type StorageBindings, type Store } from '../../../src/storage/store.ts'
import { HOUR_MS } from '../../../src/units.ts'
import type { Event } from '../linearizability.ts'
import {
  type DescribedCall,
  describeFileCall,
  describeQueries,
  everything,
  type Footprint,
  footprintAfter,
} from './footprint.ts'

/** Bindings of one operation. */
export interface Stage {
  /** The real storage. Each call waits until it is chosen. */
  store: Store
  /** Responds before the work ends. */
  response: (text: string) => void
  /** Waits until another operation has made a call, or none can make one any more. */
  waitForOthers: () => Promise<void>
  /** Returns whether the other operations have ended, or died. */
  areOthersOver: () => boolean
}

/** One of several concurrent operations. */
interface Actor {
  name: string
  /** Returns the response, unless it was sent before. */
  act: (stage: Stage) => Promise<string | undefined>
  /** The number of calls after which its process dies, and the last reply is lost. */
  diesAfter?: number | undefined
}

/** A call that was made. */
export interface Call {
  /** Its actor, by number. */
  actor: number
  /** Equal in all orders that begin with the same calls. */
  id: string
  label: string
  footprint: Footprint
  /** The number of calls that had been made before this one was wanted. */
  wantedAt: number
}

interface Held extends Call {
  /** Makes the call. Returns its footprint. */
  release: () => Promise<Footprint>
  drop: () => void
}

/** An order that was run. Event n is that of actor n. */
export interface Trace {
  calls: Call[]
  events: Event<number>[]
  deaths: ReadonlySet<number>
}

/** A finished order, and the rest of the processes that died. */
interface RunOrder {
  trace: Trace
  /** Ends what waits for calls that never come, because the runtime allows 10,000 timers. No call is made. */
  end: () => Promise<void>
}

/** Chooses the next of the held calls. Undefined ends the run: all processes die. */
export type Choose = (held: readonly Call[], at: number) => Call | undefined

/** No call times out, because a held call does not use the time of the storage. */
const UNLIMITED = {
  databaseMs: HOUR_MS,
  filesMs: HOUR_MS,
  afterHangMs: HOUR_MS,
  filesAfterHangMs: HOUR_MS,
  tickMs: HOUR_MS,
  attempts: 1,
  retryMs: 0,
}
const PROCESS_DIED = 'the process died'
/** After this many turns of the microtask queue, all calls that follow from a reply are wanted. */
const MICROTASKS = 100

interface Player {
  actor: Actor
  isOver: boolean
  wanted: number
  made: number
}

/** Runs operations on the real storage, one call at a time, in the chosen order. */
export async function runOrder(bindings: StorageBindings, actors: readonly Actor[], choose: Choose): Promise<RunOrder> {
  const held = new Map<string, Held>()
  const calls: Call[] = []
  const events: Event<number>[] = actors.map((_, operation) => ({
    operation,
    begun: 0,
    ended: Number.POSITIVE_INFINITY,
    response: undefined,
  }))
  const deaths = new Set<number>()
  const lost: (() => void)[] = []
  const ended: Promise<void>[] = []
  const players: Player[] = actors.map((actor) => ({ actor, isOver: false, wanted: 0, made: 0 }))
  let changed = Promise.withResolvers<void>()
  const change = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  function hold<Result>(number: number, described: DescribedCall, call: () => Promise<Result>): Promise<Result> {
    const player = playerOf(players, number)
    if (deaths.has(number)) return Promise.reject(new Error(PROCESS_DIED))
    const id = `${number}.${player.wanted++}`
    return new Promise<Result>((resolve, reject) => {
      const lose = () => reject(new Error(PROCESS_DIED))
      held.set(id, {
        actor: number,
        id,
        ...described,
        wantedAt: calls.length,
        async release() {
          held.delete(id)
          player.made++
          const [result] = await Promise.allSettled([call()])
          if (player.made === player.actor.diesAfter) {
            lost.push(lose)
            die(number)
          } else if (result.status === 'fulfilled') resolve(result.value)
          else reject(result.reason)
          const isKnown = described.isOfDatabase && result.status === 'fulfilled'
          return isKnown ? footprintAfter(described.footprint, result.value) : described.footprint
        },
        drop() {
          held.delete(id)
          lost.push(lose)
        },
      })
      change()
    })
  }

  function die(number: number): void {
    playerOf(players, number).isOver = true
    deaths.add(number)
    const event = events[number]
    if (event?.response === undefined) Object.assign(event ?? {}, { ended: calls.length })
    for (const one of [...held.values()]) if (one.actor === number) one.drop()
  }

  const areOthersOver = (number: number) => players.every(({ isOver }, other) => isOver || other === number)

  function start(player: Player, number: number): void {
    const response = (text: string) => {
      const event = events[number]
      if (event && event.response === undefined && !deaths.has(number))
        Object.assign(event, { response: text, ended: calls.length })
    }
    const waitForOthers = () => {
      const described = { label: 'waits', footprint: everything() }
      waiting.add(`${number}.${player.wanted}`)
      return hold(number, described, async () => {})
    }
    const stage: Stage = {
      store: openStore(
        heldBindings(bindings, (described, call) => hold(number, described, call)),
        {
          limits: UNLIMITED,
        },
      ),
      response,
      waitForOthers,
      areOthersOver: () => areOthersOver(number),
    }
    const over = player.actor
      .act(stage)
      .then(
        (text) => response(text ?? 'done'),
        (error) => response(`thrown: ${error instanceof Error ? (error.stack ?? error.message) : error}`),
      )
      .then(() => {
        player.isOver = true
        change()
      })
    ended.push(over)
  }

  /** Waits that end only after a call of another actor. */
  const waiting = new Set<string>()
  const canGoOn = (one: Held) =>
    !waiting.has(one.id) ||
    areOthersOver(one.actor) ||
    calls.slice(one.wantedAt).some(({ actor, label }) => actor !== one.actor && label !== 'waits')

  async function settle(): Promise<void> {
    for (let turns = 0; turns < MICROTASKS; turns++) await undefined
    while (players.some(({ isOver }, number) => !isOver && ![...held.values()].some(({ actor }) => actor === number))) {
      await changed.promise
      for (let turns = 0; turns < MICROTASKS; turns++) await undefined
    }
  }

  players.forEach(start)
  for (;;) {
    await settle()
    const ready = [...held.values()].filter(canGoOn).sort((one, other) => (one.id < other.id ? -1 : 1))
    if (ready.length === 0) break
    const chosen = choose(ready, calls.length)
    const next = chosen && held.get(chosen.id)
    if (!next) {
      players.forEach(({ isOver }, number) => {
        if (!isOver) die(number)
      })
      break
    }
    const { release, drop, ...call } = next
    const writes = call.footprint.writes.size
    const event = events[next.actor]
    if (event && playerOf(players, next.actor).made === 0) event.begun = calls.length
    calls.push(call)
    call.footprint = await release()
    next.footprint = call.footprint
    if (call.footprint.writes.size < writes) call.label += ', and changes nothing'
  }
  async function end(): Promise<void> {
    for (const lose of lost) lose()
    await Promise.all(ended)
  }
  return { trace: { calls, events, deaths }, end }
}

function playerOf(players: readonly Player[], number: number): Player {
  const player = players[number]
  if (!player) throw new Error(`there is no actor ${number}`)
  return player
}

type Hold = <Result>(described: DescribedCall, call: () => Promise<Result>) => Promise<Result>

function heldBindings({ FILES, DB, ...further }: StorageBindings, hold: Hold): StorageBindings {
  const heldDatabase = (name: string, database: D1Database) =>
    runDatabaseCalls(database, (_, call, queries = []) => hold(describeQueries(name, queries), call))
  const others = Object.entries(further).flatMap(([name, bound]) =>
    typeof bound === 'object' && 'batch' in bound ? [[name, heldDatabase(name, bound)]] : [],
  )
  if (!FILES) throw new Error('the files are not in a bucket')
  return { ...Object.fromEntries(others), DB: heldDatabase('DB', DB), FILES: heldBucket(FILES, hold) }
}

function heldBucket(bucket: R2Bucket, hold: Hold): R2Bucket {
  return new Proxy(bucket, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) =>
        hold(describeFileCall(String(name), args), async () => Reflect.apply(member, target, args))
    },
  })
}
