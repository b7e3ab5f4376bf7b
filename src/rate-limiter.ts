import { DurableObject } from 'cloudflare:workers'
import { type ClockSettings, nowMs } from './clock.ts'
import {
  type Charge,
  type ChargeDecision,
  type FullAtMs,
  type RateDecision,
  type RateRule,
  takeToken,
} from './domain/rate.ts'

const FULL_AT = 'full_at_ms'

/** The token buckets of one client (D24, D40). Their state survives eviction; once all are full again it deletes itself. */
export class RateLimiter extends DurableObject<ClockSettings> {
  /** Takes one token if there is one. Refusals write nothing. */
  async take(rule: RateRule): Promise<RateDecision> {
    const { kv } = this.ctx.storage
    const now = nowMs(this.env)
    const decision = takeToken(rule, kv.get<FullAtMs>(FULL_AT), now)
    if (decision.allowed) {
      kv.put(FULL_AT, decision.fullAtMs)
      await this.ctx.storage.setAlarm(Date.now() + (decision.fullAtMs - now))
    }
    return decision
  }

  /** Takes from every bucket, or from none if one has too little. Refusals write nothing. */
  async takeAll(charges: readonly Charge[]): Promise<ChargeDecision> {
    const { kv } = this.ctx.storage
    const now = nowMs(this.env)
    const decisions = charges.map(({ name, rule, tokens }) => {
      const key = `${FULL_AT}:${name}`
      return { key, name, ...takeToken(rule, kv.get<FullAtMs>(key), now, tokens) }
    })
    // Of several, the one that is there for the longest: to come back before it is of no use.
    const [refusal] = decisions.filter(({ allowed }) => !allowed).sort((a, b) => b.retryAfterS - a.retryAfterS)
    if (refusal) return { refused: refusal.name, retryAfterS: refusal.retryAfterS }
    for (const { key, fullAtMs } of decisions) kv.put(key, fullAtMs)
    // One that is due before they are full sets the next.
    if ((await this.ctx.storage.getAlarm()) === null) await this.#setAlarm(now)
    return { refused: undefined, retryAfterS: 0 }
  }

  /** Does nothing: who is answered knows that such objects can be reached. */
  async ready(): Promise<void> {}

  /** Full buckets need no state. Tokens may have been taken since the alarm was due. */
  override async alarm(): Promise<void> {
    const now = nowMs(this.env)
    if (this.#fullAtMs() > now) await this.#setAlarm(now)
    else await this.ctx.storage.deleteAll()
  }

  async #setAlarm(now: number): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + Math.ceil(this.#fullAtMs() - now))
  }

  /** When the last of the buckets is full. */
  #fullAtMs(): FullAtMs {
    return Math.max(0, ...[...this.ctx.storage.kv.list<FullAtMs>()].map(([, fullAtMs]) => fullAtMs))
  }
}
