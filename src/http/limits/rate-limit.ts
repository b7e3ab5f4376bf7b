import { addressDigest } from '../../domain/ids/address-digest.ts'
import { type Charge, type ChargeDecision, type FullAtMs, longestRefusal, takeTokens } from '../../domain/rate.ts'
import type { UploadKey } from '../../domain/settings/upload-keys.ts'
import { LIMITER_MAX_MS, LIMITER_OBJECTS, LIMITER_REMEMBERED_CLIENTS, LIMITER_SKEW_MS } from '../../limits.ts'
import { inTime } from '../../time.ts'
import type { AppContext } from '../context.ts'
import { clientKey } from './client-address.ts'
import { regionOf } from './region.ts'

/** A client, as the limiter knows it. */
interface Client {
  /** Of its address. */
  digest: string
  /** Of the object that counts for it. */
  object: string
  region: DurableObjectLocationHint | undefined
}

/** Buckets that refused, by client. An isolate that knows a refusal need not ask again until it ends. */
const refusals = new Map<string, Map<string, FullAtMs>>()

/**
 * Takes from every bucket of the client or of an upload key, or from none if one has too little. Returns undefined if the limiter cannot be
 * reached or does not respond in time. Then every request passes, and this is logged: limits protect the service, and
 * must not make it fail.
 */
export async function takeFromClient<Name extends string>(
  c: AppContext,
  charges: readonly Charge<Name>[],
  key?: UploadKey,
): Promise<ChargeDecision<Name>[] | undefined> {
  try {
    return await inTime(LIMITER_MAX_MS, 'the limiter', async () => {
      const client = await clientOf(c, key)
      return knownRefusal(client, charges, c.var.nowMs) ?? (await askObject(c, client, charges))
    })
  } catch (error) {
    c.var.logProblem('ask the rate limiter', error)
    return undefined
  }
}

async function askObject<Name extends string>(
  { env }: AppContext,
  { object, region, digest }: Client,
  charges: readonly Charge<Name>[],
): Promise<ChargeDecision<Name>[]> {
  const stub = env.RATE_LIMITER.getByName(object, region && { locationHint: region })
  const decisions = await stub.take(digest, charges)
  const named = charges.flatMap(({ name }, at) => {
    const decision = decisions[at]
    return decision === undefined ? [] : [{ ...decision, name }]
  })
  if (longestRefusal(named)) remember(digest, named)
  return named
}

/**
 * The decision, where this isolate knows that it is a refusal: tokens only come by time, so a bucket that refused does so until it has
 * enough. A client that floods costs its object nothing then, which others share. The object is asked again shortly before, for its
 * clock decides.
 */
function knownRefusal<Name extends string>({ digest }: Client, charges: readonly Charge<Name>[], nowMs: number) {
  const known = refusals.get(digest)
  if (known === undefined) return undefined
  const stateOf = (name: string) => known.get(name)
  if (longestRefusal(takeTokens(charges, stateOf, nowMs + LIMITER_SKEW_MS))) return takeTokens(charges, stateOf, nowMs)
  refusals.delete(digest)
  return undefined
}

function remember(digest: string, decisions: readonly ChargeDecision[]): void {
  const states = decisions.filter(({ allowed }) => !allowed).map(({ name, fullAtMs }) => [name, fullAtMs] as const)
  refusals.delete(digest)
  refusals.set(digest, new Map(states))
  const [oldest] = refusals.keys()
  if (refusals.size > LIMITER_REMEMBERED_CLIENTS && oldest !== undefined) refusals.delete(oldest)
}

/**
 * Clients are spread evenly over the objects of their region. Names of objects and rows are stored, so they hold a digest of the address.
 * A key is counted at one place of the world, because each region counts by itself: whoever has it may be anywhere.
 */
async function clientOf(c: AppContext, key: UploadKey | undefined): Promise<Client> {
  const request = c.req.raw
  const region = key ? undefined : regionOf(request)
  // No address has a capital letter.
  const counted = key ? `KEY ${key.digest}` : clientKey(request)
  const digest = await addressDigest(c.var.store, c.env.OPERATOR_KEY, counted)
  const objects = request.cf === undefined ? LIMITER_OBJECTS.ofOneMachine : LIMITER_OBJECTS.perRegion
  const number = Number.parseInt(digest.slice(0, 8), 16) % objects
  return { digest: digest.slice(8, 40), object: `clients:${region ?? 'anywhere'}:${number}`, region }
}
