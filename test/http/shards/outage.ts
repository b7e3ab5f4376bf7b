import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import type { Bindings } from '../../../src/env.ts'
import { SHARD_BREAKER_MS } from '../../../src/limits.ts'
import { type CallRunner, runDatabaseCalls } from '../../../src/storage/calls.ts'
import type { StorageBindings } from '../../../src/storage/store.ts'
import { bindShards } from '../../domain/store.ts'
import { databasesIn, runBucketCalls } from '../../support/faulty-bindings.ts'
import { requestOf, runLimiterCalls } from '../../support/invocation.ts'

export const OPERATOR_KEY = 'correct-horse-battery-staple-of-one-operator'
const DOMAIN = 'd.example'
const ORIGIN = `https://${DOMAIN}`
const SOONER = 40

/** Failure of a shard: each call throws, or hangs. */
export type Outage = 'throws' | 'hangs'

/** A response, read to its end. */
export interface Reply {
  status: number
  headers: Headers
  text: string
}

/** Options of a request: `on` sends new content to this shard alone, `isOperator` sends the key of an operator. */
export interface Sent extends RequestInit {
  on?: number
  isOperator?: boolean
}

/** The service on several shards, of which one may fail. */
export interface Shards {
  ask: (path: string, sent?: Sent) => Promise<Reply>
  /** Makes one shard fail from now on, or none. */
  fail: (shard: number | undefined, outage?: Outage) => void
  /** Advances the clock of the circuit breakers. */
  pass: (ms?: number) => void
  /** Returns the number of calls to the failed shard. */
  struck: () => number
  bindings: StorageBindings
}

let passedMs = 0

/** Running calls that do not hang. */
let working = 0

const counted: CallRunner = async (_, call) => {
  working++
  try {
    return await call()
  } finally {
    working--
  }
}

/**
 * Makes hanging calls hang for a moment. Only `pass` advances the clock. No timer fires while another call runs, so
 * that only hanging calls meet a timeout, however slow the machine is.
 */
export function prepareIsolate(): void {
  const [realSetTimeout, startMs] = [setTimeout, Date.now()]
  const sooner = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const fire = () => (working > 0 ? realSetTimeout(fire, 1) : act(...args))
    return realSetTimeout(fire, ms / SOONER)
  }
  vi.stubGlobal('setTimeout', sooner)
  vi.spyOn(Date, 'now').mockImplementation(() => startMs + passedMs)
  for (const method of ['error', 'log'] as const) vi.spyOn(console, method).mockImplementation(() => {})
}

/** Binds this many real databases. */
export async function openShards(count: number): Promise<Shards> {
  const real = await bindShards(count)
  let failing: { shard: number; outage: Outage } | undefined
  let struck = 0
  const databases = databasesIn(real).map(([name, database]) => [
    name,
    runDatabaseCalls(database, (called, call) => {
      if (failing?.shard !== Number(name.slice('DB_'.length))) return counted(called, call)
      struck++
      return failing.outage === 'hangs' ? new Promise(() => {}) : Promise.reject(new Error('D1_ERROR: internal error'))
    }),
  ])
  const bindings: Bindings = {
    ...env,
    ...real,
    ...Object.fromEntries(databases),
    FILES: runBucketCalls(env.FILES, counted),
    RATE_LIMITER: runLimiterCalls(counted),
    PUBLIC_DOMAINS: DOMAIN,
    SINGLE_HOST_DOMAINS: DOMAIN,
    OPERATOR_KEY,
  }
  return {
    async ask(path, { on, isOperator, ...init } = {}) {
      const request = await requestOf(ORIGIN + path, init)
      if (isOperator) request.headers.set('Authorization', `Bearer ${OPERATOR_KEY}`)
      const context = createExecutionContext()
      const response = await handleRequest(
        request,
        { ...bindings, WRITE_SHARDS: on === undefined ? '' : String(on) },
        context,
      )
      const { status, headers } = response
      const text = await response.text()
      await waitOnExecutionContext(context)
      return { status, headers, text }
    },
    fail(shard, outage = 'throws') {
      failing = shard === undefined ? undefined : { shard, outage }
      struck = 0
    },
    pass(ms = SHARD_BREAKER_MS) {
      passedMs += ms
    },
    struck: () => struck,
    bindings: real,
  }
}
