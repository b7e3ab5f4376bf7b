import { SHARD_BREAKER_MS } from '../limits.ts'
import { isolateNowMs } from '../time.ts'

/** `closed`: calls may go through. `open`: none should. `half-open`: one may, as a probe. */
type BreakerState = 'closed' | 'open' | 'half-open'

/**
 * A circuit breaker (Nygard, "Release It!", 2007). A failure opens it. After SHARD_BREAKER_MS it is half-open: one probe passes, and
 * decides whether it closes or stays open for as long again.
 */
export interface CircuitBreaker {
  state(): BreakerState
  /** Returns whether a call may pass. The first to ask a half-open breaker is its probe, and the others are refused meanwhile. */
  admit(): boolean
  succeed(): void
  fail(): void
}

/** Creates a breaker that is closed. */
export function createBreaker(nowMs: () => number = isolateNowMs): CircuitBreaker {
  let openUntilMs: number | undefined
  const open = () => {
    openUntilMs = nowMs() + SHARD_BREAKER_MS
  }
  const state = () => {
    if (openUntilMs === undefined) return 'closed'
    const leftMs = openUntilMs - nowMs()
    // More is left only if the clock was set back.
    return leftMs > 0 && leftMs <= SHARD_BREAKER_MS ? 'open' : 'half-open'
  }
  return {
    state,
    admit() {
      const current = state()
      // A probe that never ends, because its request was cancelled, is followed by another one.
      if (current === 'half-open') open()
      return current !== 'open'
    },
    succeed() {
      openUntilMs = undefined
    },
    fail: open,
  }
}

/** Returns the breaker of the shard with this number. */
export type BreakerOf = (shard: number) => CircuitBreaker

/** Creates breakers for all shards. */
export function createBreakers(nowMs?: () => number): BreakerOf {
  const breakers = new Map<number, CircuitBreaker>()
  return (shard) => {
    const breaker = breakers.get(shard) ?? createBreaker(nowMs)
    breakers.set(shard, breaker)
    return breaker
  }
}
