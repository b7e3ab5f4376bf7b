import { SECOND_MS } from '../units.ts'

/** A token bucket, exact to the millisecond (D24). */

/** At most `burst` tokens; one is refilled every `intervalMs`. */
export interface RateRule {
  burst: number
  intervalMs: number
}

/** The state of a bucket: the moment at which it will be full again. A full bucket needs no state. */
export type FullAtMs = number

/** The answer to one request. */
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

/** Which bucket had too little, if any, and after how many seconds it has enough. */
export interface ChargeDecision {
  refused: string | undefined
  retryAfterS: number
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
