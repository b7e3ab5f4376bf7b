import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { emptyStore } from '../../domain/store.ts'
import { below, pick, seededRandom } from '../../support/random.ts'
import { INTERRUPTIONS, interruptedUpload } from './flows.ts'
import { Ledger } from './ledger.ts'
import { type Case, IS_WHOLE, judge, prepareIsolate, service } from './matrix.ts'
import { FATES, struckService } from './struck-service.ts'

prepareIsolate()

const SEED = Number(env.TEST_SETTINGS.TINTYPE_SEED ?? 20261122)
/** Pairs of faults, one in either request, at random calls. */
const PAIRS = IS_WHOLE ? 1000 : 20
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

test(`an interrupted upload with a fault in either request keeps every acknowledged effect (seed ${SEED})`, async () => {
  const random = seededRandom(SEED)
  const counts = await countCalls()
  const callOf = (name: string) => 1 + below(counts.get(name) ?? 0, random)
  const cases = Array.from({ length: PAIRS }, () => {
    const name = pick(Object.keys(INTERRUPTIONS), random)
    const [fateName, fate] = pick(Object.entries(FATES), random)
    const [otherFateName, otherFate] = pick(SURVIVED, random)
    const [call, otherCall, beforeCall] = [callOf('the upload'), callOf(name), callOf('the upload')]
    const hasImage = random() < 0.5
    const told = `${name} before call ${beforeCall}, of which call ${otherCall} ${otherFateName}; ${hasImage ? 'not ' : ''}empty`
    const prepare: Case['prepare'] = (ledger) => {
      const other = struckService(otherFate.plan(otherCall))
      return interruptedUpload({ name, beforeCall, other, hasImage })(service.ask, ledger)
    }
    return { name: `an upload, of which call ${call} ${fateName}; ${told}`, interruption: name, fate, call, prepare }
  })
  // One tick serves all.
  const [alone, together] = [true, false].map((isTick) =>
    cases.filter(({ interruption }) => /tick|sweep/.test(interruption) === isTick),
  )
  const groups = [...(alone ?? []).map((one) => [one]), together ?? []]
  for (const group of groups) {
    await emptyStore()
    expect((await judge(group)).problems).toEqual([])
  }
})
