import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyStore } from '../../domain/store.ts'
import { parametersOf } from '../../support/property.ts'
import { INTERRUPTIONS, interruptedUpload } from './flows.ts'
import { Ledger } from './ledger.ts'
import { type Case, IS_WHOLE, judge, ONE_OF, prepareIsolate, service } from './matrix.ts'
import { FATES, struckService } from './struck-service.ts'

prepareIsolate()

/** Of up to ten pairs of faults, one in either request. */
const ROUNDS = IS_WHOLE ? 180 : ONE_OF > 1 ? 1 : 4
const PAIRS = 10
const PARAMETERS = parametersOf(env.TEST_SETTINGS.TINTYPE_SEED, 20261122, ROUNDS)
/**
 * The test waits for the response of the interrupting request. A tick waits for long, for which only the whole matrix
 * has time.
 */
const SURVIVED = Object.entries(FATES).filter(([name, { isDeath }]) => !isDeath && (IS_WHOLE || name !== 'hangs'))

/** Returns the number of calls of an upload into a gallery, and of each interruption. */
async function countCalls(): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const name of Object.keys(INTERRUPTIONS)) {
    const [upload, other] = [struckService(), struckService()]
    const flow = interruptedUpload({ name, beforeCall: 2, other, hasImage: true })
    await (await flow(service.ask, new Ledger())).act(upload)
    counts.set('the upload', Math.max(counts.get('the upload') ?? 0, upload.calls.length))
    counts.set(name, other.calls.length)
    await emptyStore()
  }
  return counts
}

/** A call is counted modulo those that the request makes. */
const anyCall = fc.nat({ max: 1000 })
const anyPair = fc.record({
  interruption: fc.constantFrom(...Object.keys(INTERRUPTIONS)),
  fate: fc.constantFrom(...Object.keys(FATES)),
  otherFate: fc.constantFrom(...SURVIVED.map(([name]) => name)),
  call: anyCall,
  otherCall: anyCall,
  beforeCall: anyCall,
  hasImage: fc.boolean(),
})
type Pair = typeof anyPair extends fc.Arbitrary<infer Value> ? Value : never

function caseOf(pair: Pair, counts: ReadonlyMap<string, number>): Case & { interruption: string } {
  const { interruption, hasImage } = pair
  const callOf = (name: string, call: number) => 1 + (call % (counts.get(name) ?? 1))
  const [call, beforeCall] = [callOf('the upload', pair.call), callOf('the upload', pair.beforeCall)]
  const otherCall = callOf(interruption, pair.otherCall)
  const [fate, otherFate] = [FATES[pair.fate], FATES[pair.otherFate]]
  if (!fate || !otherFate) throw new Error('there is no such fate')
  const told = `${interruption} before call ${beforeCall}, of which call ${otherCall} ${pair.otherFate}; ${hasImage ? 'not ' : ''}empty`
  const prepare: Case['prepare'] = (ledger) => {
    const other = struckService(otherFate.plan(otherCall))
    return interruptedUpload({ name: interruption, beforeCall, other, hasImage })(service.ask, ledger)
  }
  return { name: `an upload, of which call ${call} ${pair.fate}; ${told}`, interruption, fate, call, prepare }
}

test(`an interrupted upload with a fault in either request keeps every acknowledged effect (seed ${PARAMETERS.seed})`, async () => {
  const counts = await countCalls()
  const pairs = fc.array(anyPair, { minLength: 1, maxLength: PAIRS, size: 'max' })
  const property = fc.asyncProperty(pairs, async (pairs) => {
    const cases = pairs.map((pair) => caseOf(pair, counts))
    // One tick serves all.
    const [alone, together] = [true, false].map((isTick) =>
      cases.filter(({ interruption }) => /tick|sweep/.test(interruption) === isTick),
    )
    const groups = [...(alone ?? []).map((one) => [one]), together ?? []]
    for (const group of groups.filter(({ length }) => length > 0)) {
      await emptyStore()
      expect((await judge(group)).problems).toEqual([])
    }
  })
  await fc.assert(property, { ...PARAMETERS, plugins: [fc.unbiased()] })
})
