import { SECOND_MS } from '../units.ts'

/** A token bucket, exact to the millisecond (D24). */

/** At most `burst` tokens; one is refilled every `intervalMs`. */
export interface RateRule {
  burst: number
  intervalMs: number
}

/** The state of a bucket: the moment at which it will be full again. A full bucket needs no state. */
export type FullAtMs = number

/** The response to one request. */
export interface RateDecision {
  allowed: boolean
  /** Whole tokens left after this request. */
  remaining: number
  /** Whole seconds until the bucket is full again. */
  resetS: number
  /** The smallest whole number of seconds after which such a request passes; 0 if one would pass at once. */
  retryAfterS: number
  fullAtMs: FullAtMs
}

/** Tokens to take from one of several buckets of one client. */
export interface Charge<Name extends string = string> {
  name: Name
  rule: RateRule
  tokens: number
}

/** The decision about one charge. */
export interface ChargeDecision<Name extends string = string> extends RateDecision {
  name: Name
}

/**
 * Takes one token from the bucket, or as many as are wanted, if they are there. A refused request takes nothing. A request for
 * more than a full bucket holds takes a full one.
 */
export function takeToken(rule: RateRule, fullAtMs: FullAtMs | undefined, nowMs: number, tokens = 1): RateDecision {
  const emptyToFullMs = rule.burst * rule.intervalMs
  const costMs = Math.min(tokens * rule.intervalMs, emptyToFullMs)
  // Never below empty: a clock that was set back must not lock anybody out.
  const debtMs = Math.min(Math.max((fullAtMs ?? nowMs) - nowMs, 0), emptyToFullMs)
  const allowed = debtMs + costMs <= emptyToFullMs
  const debtAfterMs = allowed ? debtMs + costMs : debtMs
  return {
    allowed,
    remaining: Math.floor((emptyToFullMs - debtAfterMs) / rule.intervalMs),
    resetS: Math.ceil(debtAfterMs / SECOND_MS),
    retryAfterS: Math.ceil(Math.max(debtAfterMs + costMs - emptyToFullMs, 0) / SECOND_MS),
    fullAtMs: nowMs + debtAfterMs,
  }
}

/**
 * Takes from every bucket, or from none if one has too little: then only the decisions that are not `allowed` count.
 * `fullAtMs` returns the state of a bucket.
 */
export function takeTokens<Name extends string>(
  charges: readonly Charge<Name>[],
  fullAtMs: (name: Name) => FullAtMs | undefined,
  nowMs: number,
): ChargeDecision<Name>[] {
  return charges.map(({ name, rule, tokens }) => ({ name, ...takeToken(rule, fullAtMs(name), nowMs, tokens) }))
}

/** Returns the refusal that lasts the longest; undefined where every bucket had enough. */
export function longestRefusal<Name extends string>(
  decisions: readonly ChargeDecision<Name>[],
): ChargeDecision<Name> | undefined {
  const refusals = decisions.filter(({ allowed }) => !allowed)
  return refusals.sort((a, b) => b.retryAfterS - a.retryAfterS)[0]
}
