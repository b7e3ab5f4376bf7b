import { pick, type Random } from '../../support/random.ts'
import { areIndependent, everything } from './footprint.ts'
import type { Call, Choose, Trace } from './scheduler.ts'

/** Runs one order, from the same start each time. */
export type Run = (choose: Choose) => Promise<Trace>

/** An order, by the ids of its calls. */
export type Order = readonly string[]

/** The orders that were run, and the number of those that repeated an equivalent one. */
interface Explored {
  orders: number
  redundant: number
}

/** Chooses the calls of an order as far as possible, and then the first one. */
export function following(order: Order): Choose {
  return (held, at) => held.find(({ id }) => id === order[at]) ?? held[0]
}

/** Estimates the number of orders by the branches of some of them (Knuth, 1975), which it runs. */
export async function estimateOrders(run: Run, probes: number, random: Random): Promise<number> {
  let sum = 0
  for (let probe = 0; probe < probes; probe++) {
    let product = 1
    await run((held) => {
      product *= held.length
      return pick(held, random)
    })
    sum += product
  }
  return Math.round(sum / probes)
}

/** Runs every order, depth first. */
export async function exploreAll(run: Run): Promise<Explored> {
  const path: { ids: string[]; at: number }[] = []
  let orders = 0
  do {
    await run((held, depth) => {
      if (depth === path.length) path.push({ ids: held.map(({ id }) => id), at: 0 })
      const node = path[depth]
      return callOf(held, node?.ids[node.at])
    })
    orders++
    while (path.length > 0 && isLast(path.at(-1))) path.pop()
    const last = path.at(-1)
    if (last) last.at++
  } while (path.length > 0)
  return { orders, redundant: 0 }
}

function isLast(node: { ids: string[]; at: number } | undefined): boolean {
  return node !== undefined && node.at >= node.ids.length - 1
}

function callOf(held: readonly Call[], id: string | undefined): Call {
  const found = held.find((call) => call.id === id)
  if (!found) throw new Error(`the same order came to other calls: ${id} is not among ${held.map((call) => call.id)}`)
  return found
}

interface Node {
  /** Calls to try here. */
  backtrack: Set<string>
  /** Calls whose orders from here on are equivalent to earlier ones. */
  sleep: Map<string, Call>
  chosen: Call
  /** Whether `chosen` is the choice of an earlier order. */
  isRepeated: boolean
}

/**
 * Runs one order of each class of equivalent ones, which differ by swaps of independent neighbours. It is dynamic
 * partial-order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson and Sagonas, "Optimal dynamic
 * partial order reduction", POPL 2014).
 */
export async function exploreReduced(run: Run): Promise<Explored> {
  const path: Node[] = []
  let orders = 0
  let redundant = 0
  do {
    let isBlocked = false
    const trace = await run((held, depth) => {
      const node = path[depth]
      if (node) {
        const found = held.find(({ id }) => id === node.chosen.id)
        // Sleeping calls were compared by their footprint in another order.
        if (found && node.isRepeated && !node.chosen.label.startsWith(found.label)) {
          throw new Error(`the same order came to other calls: "${node.chosen.label}" and "${found.label}"`)
        }
        node.isRepeated = true
        // It is not possible here, because it waits for another one.
        isBlocked = found === undefined
        node.chosen = found ?? { ...node.chosen, footprint: everything() }
        return found
      }
      const sleep = asleepAfter(path[depth - 1])
      const chosen = held.find(({ id }) => !sleep.has(id))
      isBlocked = chosen === undefined
      if (chosen) path.push({ backtrack: new Set([chosen.id]), sleep, chosen, isRepeated: true })
      return chosen
    })
    if (isBlocked) redundant++
    else orders++
    for (const [at, call] of trace.calls.entries()) {
      const node = path[at]
      if (node) node.chosen = call
    }
    addRaces(path, trace.calls)
    goBack(path)
  } while (path.length > 0)
  return { orders, redundant }
}

/** Returns the calls that sleep after the chosen one: those that slept, or were tried, and are independent of it. */
function asleepAfter(node: Node | undefined): Map<string, Call> {
  if (!node) return new Map()
  return new Map([...node.sleep].filter(([, call]) => areIndependent(call.footprint, node.chosen.footprint)))
}

/** Returns to the last node with a call to try. */
function goBack(path: Node[]): void {
  for (let node = path.at(-1); node; node = path.at(-1)) {
    node.sleep.set(node.chosen.id, node.chosen)
    const next = [...node.backtrack].find((id) => !node.sleep.has(id))
    if (next !== undefined) {
      node.chosen = { ...node.chosen, id: next }
      node.isRepeated = false
      return
    }
    path.pop()
  }
}

/** Makes the node before each race of two calls try the call that reverses them. */
function addRaces(path: readonly Node[], calls: readonly Call[]): void {
  const before = happensBefore(calls)
  for (const [second, call] of calls.entries()) {
    for (let first = 0; first < second; first++) {
      const node = path[first]
      if (node && isRace(before, calls, first, second)) {
        const initials = initialsOf(before, calls, first, second)
        if (!initials.some((id) => node.backtrack.has(id))) {
          node.backtrack.add(initials.includes(call.id) ? call.id : (initials[0] ?? call.id))
        }
      }
    }
  }
}

/**
 * Returns the earlier calls that happen before each call: of its actor before it was wanted, dependent ones, and
 * theirs.
 */
function happensBefore(calls: readonly Call[]): Set<number>[] {
  const before: Set<number>[] = []
  for (const [at, call] of calls.entries()) {
    const own = new Set<number>()
    for (let earlier = at - 1; earlier >= 0; earlier--) {
      const other = calls[earlier]
      if (!other || own.has(earlier)) continue
      const isOfProgram = other.actor === call.actor && earlier < call.wantedAt
      if (!isOfProgram && areIndependent(other.footprint, call.footprint)) continue
      own.add(earlier)
      for (const one of before[earlier] ?? []) own.add(one)
    }
    before.push(own)
  }
  return before
}

/** Returns whether two calls that could come in the other order are dependent, and nothing else orders them. */
function isRace(before: readonly Set<number>[], calls: readonly Call[], first: number, second: number): boolean {
  const [one, other] = [calls[first], calls[second]]
  if (!one || !other || !before[second]?.has(first)) return false
  if (one.actor === other.actor && first < other.wantedAt) return false
  for (let between = first + 1; between < second; between++) {
    if (before[between]?.has(first) && before[second]?.has(between)) return false
  }
  return true
}

/** Returns the calls that may begin an order with the second call before the first one. */
function initialsOf(before: readonly Set<number>[], calls: readonly Call[], first: number, second: number): string[] {
  const moved: number[] = []
  for (let at = first + 1; at <= second; at++) if (at === second || !before[at]?.has(first)) moved.push(at)
  return moved
    .filter((at) => !moved.some((other) => other < at && before[at]?.has(other)))
    .map((at) => calls[at]?.id ?? '')
}
