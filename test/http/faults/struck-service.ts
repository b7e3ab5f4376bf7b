import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import type { Bindings } from '../../../src/env.ts'
import { codec } from '../../../src/image/codec.ts'
import worker from '../../../src/index.ts'
import type { StorageBindings } from '../../../src/storage/store.ts'
import { bindShards } from '../../domain/store.ts'
import {
  CONNECTION_LOST,
  callAndRetry,
  type FaultPlan,
  type FaultyBindings,
  faultyBindings,
  fromCallOn,
  onlyCall,
} from '../../support/faulty-bindings.ts'
import { executionContext, requestOf, runAssetCalls, runLimiterCalls } from '../../support/invocation.ts'

const UNANSWERED_MS = 300_000
const UNKNOWN = 'internal error; reference = 0'
const DOMAIN = 'd.example'
export const ORIGIN = `https://${DOMAIN}`
export const OPERATOR_KEY = 'correct-horse-battery-staple-of-one-operator'

/** The fault of call n of a flow. `lateUntil` is the time at which a late call takes effect. */
export interface Fate {
  plan: (call: number) => FaultPlan
  lateUntil?: 'the response' | 'the sweep'
  /** No call follows this one, and the client gets no response. */
  isDeath?: boolean
}

/** Every single fault, by its name. */
export const FATES: Record<string, Fate> = {
  'fails before its effect': { plan: (n) => ({ fault: 'throws before', strikes: onlyCall(n), message: UNKNOWN }) },
  'takes effect, then fails': { plan: (n) => ({ fault: 'throws after', strikes: onlyCall(n), message: UNKNOWN }) },
  'takes effect, then its connection is lost': { plan: (n) => ({ fault: 'throws after', strikes: onlyCall(n) }) },
  hangs: { plan: (n) => ({ fault: 'hangs', strikes: onlyCall(n) }) },
  'fails, and takes effect after the answer': {
    plan: (n) => ({ fault: 'takes effect late', strikes: onlyCall(n), message: UNKNOWN }),
    lateUntil: 'the response',
  },
  'fails, and takes effect after the next sweep': {
    plan: (n) => ({ fault: 'takes effect late', strikes: onlyCall(n), message: UNKNOWN }),
    lateUntil: 'the sweep',
  },
  'loses its connection, is tried again, and takes effect once more after the answer': {
    plan: (n) => ({ fault: 'takes effect late', strikes: onlyCall(n), message: CONNECTION_LOST }),
    lateUntil: 'the response',
  },
  'fails twice, then works': { plan: (n) => ({ fault: 'throws before', strikes: callAndRetry(n) }) },
  'is the last before the isolate dies': {
    plan: (n) => ({ fault: 'hangs', strikes: fromCallOn(n) }),
    isDeath: true,
  },
}

/** A response, read to its end. Status 0 if the client got none. */
export interface ReceivedResponse {
  status: number
  bytes: Uint8Array
}

/** Sends a request to the service, whose clock is moved by `offsetMs`, and which has these settings besides. */
export type Ask = (
  path: string,
  init?: RequestInit,
  offsetMs?: number,
  settings?: Partial<Bindings>,
) => Promise<ReceivedResponse>

/** A request to an address of the operator. */
interface OperatorCall {
  headers: Headers
  body: string
}

/** Respond to requests to an address of the operator, by its host. Others are 200 without a body. */
const receivers = new Map<string, (call: OperatorCall) => Response>()

/** Sets the response of an address of the operator. */
export function receiveAt(url: string, respond: (call: OperatorCall) => Response): void {
  receivers.set(new URL(url).host, respond)
}

/** Settings with which uploads are announced. The cron has them always. */
export const ANNOUNCING = {
  UPLOAD_WEBHOOK: 'https://uploads.example/',
  WEBHOOK_SECRET: `whsec_${btoa('s'.repeat(32))}`,
}

/**
 * The service on bindings with planned faults. Its calls to D1, R2, the limiter, the edge cache, the codec, the static
 * assets and other services are counted.
 */
export interface StruckService {
  ask: Ask
  /** Runs one tick of the cron. */
  tick: (offsetMs: number) => Promise<void>
  calls: readonly string[]
  wasStruck: () => boolean
  struckCalls: readonly string[]
  /** Resolves when a call meets its fault. */
  struck: Promise<void>
  /** Resolves when the first request has its response, whatever continues after it. */
  answered: Promise<void>
  release: () => Promise<void>
  /** Runs a function before each call, with the number of the call. */
  beforeCalls: (act: (call: number) => Promise<void>) => void
}

const underWay = new AsyncLocalStorage<FaultyBindings>()

/** A request with all work after its response. When it is over, the runtime cancels the rest: no call follows. */
const invocations = new AsyncLocalStorage<{ isOver: boolean }>()

let shards: StorageBindings = env
let writeShards = ''

/** Makes the service store all new content on the second of two databases. Everything missing there is on the first. */
export async function useSecondShard(): Promise<void> {
  shards = await bindShards(2)
  writeShards = '1'
}

/** Restores the single database. */
export async function useOneShard(): Promise<void> {
  await bindShards(1)
  shards = env
  writeShards = ''
}

/** Returns the service with this plan of faults, or without faults. */
export function struckService(plan?: FaultPlan): StruckService {
  let interrupt: ((call: number) => Promise<void>) | undefined
  const faulty = faultyBindings(shards, plan, async (call) => {
    if (invocations.getStore()?.isOver) await new Promise(() => {})
    await interrupt?.(call)
  })
  const answered = Promise.withResolvers<void>()
  const bindings = (offsetMs: number): Bindings => ({
    ...env,
    ...faulty.bindings,
    WRITE_SHARDS: writeShards,
    RATE_LIMITER: runLimiterCalls(faulty.run),
    ASSETS: runAssetCalls(faulty.run),
    PUBLIC_DOMAINS: DOMAIN,
    SINGLE_HOST_DOMAINS: DOMAIN,
    OPERATOR_KEY,
    PURGE_TOKEN: 'purge-token-of-the-operator',
    PURGE_ZONES: '1'.repeat(32),
    REPORT_WEBHOOK: 'https://hook.example/',
    CLOCK_OFFSET_MS: String(offsetMs),
  })
  return {
    ask: (path, init = {}, offsetMs = 0, settings = {}) =>
      underWay.run(faulty, async () => {
        const { ctx, ended } = executionContext()
        const invocation = { isOver: false }
        const asked = async () => {
          const all = { ...bindings(offsetMs), ...settings }
          const response = await handleRequest(await requestOf(ORIGIN + path, init), all, ctx)
          answered.resolve()
          const bytes = new Uint8Array(await response.arrayBuffer())
          await ended()
          invocation.isOver = true
          return { status: response.status, bytes }
        }
        // A workerd has 10,000 timeouts at most.
        const over = new AbortController()
        try {
          return await Promise.race([invocations.run(invocation, asked), unanswered(over.signal)])
        } finally {
          over.abort()
        }
      }),
    tick: (offsetMs) =>
      underWay.run(faulty, () =>
        worker.scheduled(createScheduledController({ cron: '* * * * *' }), { ...bindings(offsetMs), ...ANNOUNCING }),
      ),
    calls: faulty.calls,
    wasStruck: faulty.wasStruck,
    struckCalls: faulty.struckCalls,
    struck: faulty.struck,
    answered: answered.promise,
    release: faulty.release,
    beforeCalls(act) {
      interrupt = act
    },
  }
}

/** Returns a response with status 0, because every timeout of the service is shorter. */
async function unanswered(signal: AbortSignal): Promise<ReceivedResponse> {
  await scheduler.wait(UNANSWERED_MS, { signal })
  return { status: -1, bytes: new Uint8Array() }
}

/** All keys in the edge cache. */
const cachedKeys = new Set<string>()

/**
 * Empties the edge cache, because an empty database issues the same numbers again, and old tombstones would hide new
 * images.
 */
export async function emptyEdgeCache(): Promise<void> {
  for (const key of cachedKeys) await caches.default.delete(key)
  cachedKeys.clear()
}

/** Lets faults strike the edge cache, the codec and other services of this isolate. */
export function strikeGlobals(): void {
  const real = caches
  const cache = new Proxy(real.default, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        const call = async () => {
          if (name === 'put') cachedKeys.add(String(args[0]))
          return Reflect.apply(member, target, args)
        }
        const faulty = underWay.getStore()
        return faulty ? faulty.run(`cache.${String(name)}`, call) : call()
      }
    },
  })
  vi.stubGlobal('caches', { default: cache })
  vi.stubGlobal('fetch', async (url: string | URL, init: RequestInit = {}) => {
    const call = { headers: new Headers(init.headers), body: String(init.body) }
    const respond = async () => receivers.get(new URL(url).host)?.(call) ?? new Response()
    return underWay.getStore()?.run('fetch', respond) ?? respond()
  })
  codec.release()
  vi.stubGlobal('WebAssembly', new Proxy(WebAssembly, { get: (target, name) => codecMember(target, name) }))
}

function codecMember(target: typeof WebAssembly, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name)
  if (name !== 'Instance') return member
  return function struckInstance(...args: ConstructorParameters<typeof WebAssembly.Instance>) {
    const { exports } = new target.Instance(...args)
    const { reset, allocate } = exports
    if (typeof reset !== 'function' || typeof allocate !== 'function') return { exports }
    let isFresh = false
    return {
      exports: {
        ...exports,
        reset() {
          reset()
          isFresh = true
        },
        allocate(bytes: number): unknown {
          if (isFresh) strikeCodec()
          isFresh = false
          return allocate(bytes)
        },
      },
    }
  }
}

/** Makes the codec trap for any fault, because it computes without waiting. */
function strikeCodec(): void {
  const faulty = underWay.getStore()
  if (!faulty) return
  const before = faulty.wasStruck()
  faulty.run('codec', async () => {}).catch(() => {})
  if (!before && faulty.wasStruck()) throw new WebAssembly.RuntimeError('unreachable')
}

/** Makes timeouts expire this many times sooner, so that hanging calls take little time. */
export function speedUp(times: number): void {
  const realSetTimeout = setTimeout
  const sooner = (act: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
    realSetTimeout(act, ms / times, ...args)
  vi.stubGlobal('setTimeout', sooner)
}
