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
  /** The smallest whole number of seconds after which one request passes; 0 if one would pass at once. */
  retryAfterS: number
  fullAtMs: FullAtMs
}

/** Takes one token from the bucket if there is one. A refused request takes nothing. */
export function takeToken(rule: RateRule, fullAtMs: FullAtMs | undefined, nowMs: number): RateDecision {
  const emptyToFullMs = rule.burst * rule.intervalMs
  // Never below empty: a clock that was set back must not lock anybody out.
  const debtMs = Math.min(Math.max((fullAtMs ?? nowMs) - nowMs, 0), emptyToFullMs)
  const allowed = debtMs + rule.intervalMs <= emptyToFullMs
  const debtAfterMs = allowed ? debtMs + rule.intervalMs : debtMs
  return {
    allowed,
    remaining: Math.floor((emptyToFullMs - debtAfterMs) / rule.intervalMs),
    resetS: Math.ceil(debtAfterMs / SECOND_MS),
    retryAfterS: Math.ceil(Math.max(debtAfterMs + rule.intervalMs - emptyToFullMs, 0) / SECOND_MS),
    fullAtMs: nowMs + debtAfterMs,
  }
}
