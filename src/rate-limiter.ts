import { DurableObject } from 'cloudflare:workers'
import { type Charge, type ChargeDecision, type FullAtMs, longestRefusal, takeTokens } from './domain/rate.ts'
import { LIMITER_SWEEP_INTERVAL_MS, LIMITER_SWEEP_ROWS } from './limits.ts'
import { type ClockSettings, nowMs } from './time.ts'

/** The state of each bucket that is not full. A time may have a fraction: 7,000 uploads an hour are one each 514.3 ms. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS buckets (
    client TEXT NOT NULL,
    name TEXT NOT NULL,
    full_at_ms REAL NOT NULL,
    PRIMARY KEY (client, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS buckets_by_time ON buckets (full_at_ms)`

/**
 * The token buckets of many clients (D24, D40): each client belongs to one object. They survive eviction. An alarm removes those
 * that are full again.
 */
export class RateLimiter extends DurableObject<ClockSettings> {
  #hasAlarm = false

  constructor(ctx: DurableObjectState, env: ClockSettings) {
    super(ctx, env)
    ctx.storage.sql.exec(SCHEMA)
  }

  /** Takes from every bucket of a client, or from none if one has too little. Refusals write nothing. */
  async take(client: string, charges: readonly Charge[]): Promise<ChargeDecision[]> {
    const decisions = takeTokens(charges, (name) => this.#fullAtMs(client, name), nowMs(this.env))
    if (longestRefusal(decisions)) return decisions
    for (const { name, fullAtMs } of decisions) this.#keep(client, name, fullAtMs)
    await this.#ensureAlarm()
    return decisions
  }

  /** Resolves if such objects and their storage can be reached. */
  async ready(): Promise<void> {
    this.ctx.storage.sql.exec('SELECT 1 FROM buckets LIMIT 1').toArray()
  }

  override async alarm(): Promise<void> {
    const { kv, sql } = this.ctx.storage
    // Until version 2.0 each client had an object of its own, which held its buckets here.
    if ([...kv.list({ limit: 1 })].length > 0) return this.ctx.storage.deleteAll()
    const now = nowMs(this.env)
    sql.exec(
      `DELETE FROM buckets WHERE (client, name) IN
         (SELECT client, name FROM buckets WHERE full_at_ms <= ? ORDER BY full_at_ms LIMIT ?)`,
      now,
      LIMITER_SWEEP_ROWS,
    )
    const { next } = sql.exec<{ next: FullAtMs | null }>('SELECT min(full_at_ms) AS next FROM buckets').one()
    this.#hasAlarm = next !== null
    if (next !== null) await this.#setAlarm(next <= now ? 0 : LIMITER_SWEEP_INTERVAL_MS)
  }

  #fullAtMs(client: string, name: string): FullAtMs | undefined {
    const query = 'SELECT full_at_ms FROM buckets WHERE client = ? AND name = ?'
    return this.ctx.storage.sql.exec<{ full_at_ms: FullAtMs }>(query, client, name).toArray()[0]?.full_at_ms
  }

  #keep(client: string, name: string, fullAtMs: FullAtMs): void {
    this.ctx.storage.sql.exec(
      `INSERT INTO buckets (client, name, full_at_ms) VALUES (?, ?, ?)
       ON CONFLICT (client, name) DO UPDATE SET full_at_ms = excluded.full_at_ms`,
      ...[client, name, fullAtMs],
    )
  }

  /** Storage is asked once in the life of an object: whether the one before it left an alarm. */
  async #ensureAlarm(): Promise<void> {
    if (this.#hasAlarm) return
    this.#hasAlarm = true
    if ((await this.ctx.storage.getAlarm()) === null) await this.#setAlarm(LIMITER_SWEEP_INTERVAL_MS)
  }

  #setAlarm(inMs: number): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + inMs)
  }
}
