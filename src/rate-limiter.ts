import { DurableObject } from 'cloudflare:workers'
import { type ClockSettings, nowMs } from './clock.ts'
import { type RateDecision, type RateRule, takeToken } from './domain/rate.ts'

const FULL_AT = 'full_at_ms'

/** The token bucket of one client address (D24). Its state survives eviction; once full again it deletes itself. */
export class RateLimiter extends DurableObject<ClockSettings> {
  /** Takes one token if there is one. Refusals write nothing. */
  async take(rule: RateRule): Promise<RateDecision> {
    const { storage } = this.ctx
    const now = nowMs(this.env)
    const decision = takeToken(rule, storage.kv.get<number>(FULL_AT), now)
    if (decision.allowed) {
      storage.kv.put(FULL_AT, decision.fullAtMs)
      await storage.setAlarm(Date.now() + (decision.fullAtMs - now))
    }
    return decision
  }

  /** The bucket is full again: a full bucket needs no state. */
  override async alarm(): Promise<void> {
    const fullAtMs = this.ctx.storage.kv.get<number>(FULL_AT)
    // A token may have been taken since the alarm was due.
    const remainingMs = (fullAtMs ?? 0) - nowMs(this.env)
    if (remainingMs > 0) await this.ctx.storage.setAlarm(Date.now() + remainingMs)
    else await this.ctx.storage.deleteAll()
  }
}
