import { env } from 'cloudflare:workers'
import { afterAll, expect, test } from 'vitest'
import { below, pick, seededRandom } from '../../support/random.ts'
import { estimateOrders, exploreAll, exploreReduced } from './explore.ts'
import { type Meeting, nameOf, pairsOf, Referee, tell, weightOf } from './meeting.ts'
import { SCENES } from './scenes.ts'

const SEED = Number(env.TEST_SETTINGS.TINTYPE_SEED ?? 20261123)
/**
 * Pairs with more orders than this are reduced: `npm run tintype -- interleavings`. Undefined for the part within `npm
 * test`.
 */
const WHOLE_MAX_ORDERS =
  env.TEST_SETTINGS.INTERLEAVINGS === undefined ? undefined : Number(env.TEST_SETTINGS.INTERLEAVINGS)
const PROBES = 20
const SHARDS = [1, 2]
/** The number of violations that are shortened, by up to 60 orders each. */
const SHRUNK = 2
/** Within `npm test`, chosen pairs run so many random orders. `npm run tintype -- test:thorough` runs all of them. */
const FEW = 6
const IS_SHORT = WHOLE_MAX_ORDERS === undefined && env.TEST_SETTINGS.THOROUGH === undefined
const SAMPLED = IS_SHORT ? 12 : WHOLE_MAX_ORDERS === undefined ? 120 : 3000
const TRIPLE = ['upload', 'finalize', 'delete of the gallery'] as const

/** Meetings that once had a fault, and those in which a fault would be worst. */
const CHOSEN: Meeting[] = [
  { scene: 'an empty gallery', names: ['upload', 'finalize'], shards: 1 },
  { scene: 'an empty gallery', names: ['upload', 'late cron'], shards: 1 },
  { scene: 'an unfinished gallery with an image', names: ['upload', 'delete of the gallery'], shards: 2 },
  { scene: 'an unfinished gallery with an image', names: ['finalize', 'removal of the image'], shards: 1 },
  { scene: 'a public gallery with two images', names: ['delete of the gallery', 'page of the gallery'], shards: 1 },
  { scene: 'a public gallery with two images', names: ['delete of the gallery', 'page of the image'], shards: 1 },
  {
    scene: 'a public gallery with two images',
    names: ['delete of an image of the gallery', 'delete of an image of the gallery'],
    shards: 2,
  },
  {
    scene: 'a public gallery with two images',
    names: ['addition of an image', 'delete of the gallery'],
    shards: 2,
  },
  {
    scene: 'a public gallery with two images',
    names: ['move to the beginning', 'delete of an image of the gallery'],
    shards: 1,
  },
  {
    scene: 'a public gallery with two images',
    names: ['move after the first', 'delete of an image of the gallery'],
    shards: 1,
  },
  { scene: 'a public gallery with a guest link', names: ['image of a guest', 'image of a guest'], shards: 1 },
  { scene: 'a public gallery with a guest link', names: ['image of a guest', 'close of the guest link'], shards: 1 },
  { scene: 'a public gallery with a guest link', names: ['image of a guest', 'delete of the gallery'], shards: 2 },
  { scene: 'a public gallery with two images', names: ['move to the beginning', 'page of the gallery'], shards: 1 },
  { scene: 'an image', names: ['delete of the image', 'removal of the image'], shards: 1 },
  { scene: 'an Idempotency-Key of a delete', names: ['delete with a key', 'delete of the image'], shards: 2 },
]

/**
 * Fails with the orders that break a promise: the shortest one of each meeting, and for some the shortest form that is
 * found.
 */
async function expectNoViolation(referee: Referee): Promise<void> {
  await referee.judgeAll()
  const found = referee.violations.splice(0).sort((one, other) => weightOf(one) - weightOf(other))
  const shortest = [...Map.groupBy(found, ({ meeting }) => nameOf(meeting)).values()].flatMap(([first]) => first ?? [])
  const told: string[] = []
  for (const violation of shortest.slice(0, SHRUNK)) told.push(tell(await referee.shrink(violation)))
  for (const violation of shortest.slice(SHRUNK)) told.push(tell(violation))
  expect(told.join('\n\n')).toBe('')
}

/** Runs all orders of a meeting, or one of each class of equivalent ones, and prints their number. */
async function explore(referee: Referee, meeting: Meeting, wholeMaxOrders: number): Promise<string> {
  const run = referee.runner(meeting)
  const estimate = await estimateOrders(run, PROBES, seededRandom(SEED))
  if (estimate <= wholeMaxOrders) {
    const { orders } = await exploreAll(run)
    return `${nameOf(meeting)}: all ${orders} orders`
  }
  const { orders, redundant } = await exploreReduced(run)
  return `${nameOf(meeting)}: ${orders} classes of some ${estimate} orders (${redundant} cut off)`
}

/**
 * Runs a meeting in which the process of each operation dies after each of its calls, reduced. Returns the number of
 * orders.
 */
async function exploreDeaths(referee: Referee, meeting: Meeting): Promise<number> {
  let orders = 0
  for (const mortal of meeting.names.keys()) {
    for (let after = 1, isReached = true; isReached; after++) {
      isReached = false
      const run = referee.runner({
        ...meeting,
        deaths: meeting.names.map((_, at) => (at === mortal ? after : undefined)),
      })
      const explored = await exploreReduced(async (choose) => {
        const trace = await run(choose)
        isReached ||= trace.calls.filter(({ actor }) => actor === mortal).length === after && trace.deaths.has(mortal)
        return trace
      })
      orders += explored.orders
    }
  }
  return orders
}

/** Runs random orders of random meetings, in some of which processes die. */
async function sample(referee: Referee, meetings: readonly Meeting[], orders: number, seed: number): Promise<void> {
  const random = seededRandom(seed)
  for (let order = 0; order < orders; order++) {
    const meeting = pick(meetings, random)
    const deaths = meeting.names.map(() => (random() < 0.25 ? 1 + below(10, random) : undefined))
    await referee.runner({ ...meeting, deaths })((held) => pick(held, random))
  }
}

const meetingsOf = (shards: number) => Object.keys(SCENES).flatMap((scene) => pairsOf(scene, shards))
const triplesOf = (shards: number): Meeting[] =>
  ['an empty gallery', 'an unfinished gallery with an image'].map((scene) => ({ scene, names: TRIPLE, shards }))

let all = 0
afterAll(() => console.info(`${all} orders of storage calls`))

for (const shards of SHARDS) {
  test.runIf(WHOLE_MAX_ORDERS === undefined)(
    `chosen pairs keep their promises in any order, on ${shards}`,
    async () => {
      const referee = await Referee.over(shards)
      const random = seededRandom(SEED + shards)
      for (const meeting of CHOSEN.filter((chosen) => chosen.shards === shards)) {
        const run = referee.runner(meeting)
        if (!IS_SHORT) await exploreReduced(run)
        for (let order = 0; IS_SHORT && order < FEW; order++) await run((held) => pick(held, random))
      }
      await expectNoViolation(referee)
      all += referee.orders
    },
  )

  for (const scene of WHOLE_MAX_ORDERS === undefined ? [] : Object.keys(SCENES)) {
    test(`every order of each pair on ${scene}, on ${shards}`, async () => {
      const referee = await Referee.over(shards)
      for (const meeting of pairsOf(scene, shards)) {
        console.info(await explore(referee, meeting, WHOLE_MAX_ORDERS ?? 0))
      }
      all += referee.orders
      await expectNoViolation(referee)
    })

    test(`each pair on ${scene}, on ${shards}, with a process that dies after each call`, async () => {
      const referee = await Referee.over(shards)
      for (const meeting of pairsOf(scene, shards)) {
        const orders = await exploreDeaths(referee, meeting)
        console.info(`${nameOf(meeting)}: ${orders} classes of orders in which one of the two dies`)
      }
      all += referee.orders
      await expectNoViolation(referee)
    })
  }

  test(`${SAMPLED} random orders of pairs and of uploads, finalizes and deletes, on ${shards} (seed ${SEED})`, async () => {
    const referee = await Referee.over(shards)
    await sample(referee, meetingsOf(shards), SAMPLED / 2, SEED + shards)
    await sample(referee, triplesOf(shards), SAMPLED / 2, SEED - shards)
    await expectNoViolation(referee)
    all += referee.orders
  })
}
