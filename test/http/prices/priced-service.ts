import { env } from 'cloudflare:workers'
import { gzipSync } from 'node:zlib'
import { vi } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import type { Bindings } from '../../../src/env.ts'
import { runBucketCalls } from '../../support/faulty-bindings.ts'
import { executionContext, requestOf, runAssetCalls, runLimiterCalls } from '../../support/invocation.ts'

const DOMAIN = 'd.example'
export const ORIGIN = `https://${DOMAIN}`
export const OPERATOR_KEY = 'correct-horse-battery-staple-of-one-operator'

/** The price of a request, with all work after its response. */
export interface Bill {
  /** SQL statements, counting each of a batch. */
  queries: number
  rowsWritten: number
  /** Calls to R2. */
  files: number
  /** Calls to the Durable Object of the limiter. */
  objects: number
  /** Calls to the edge cache. */
  cache: number
  /** Files of the static assets. */
  assets: number
  /** Requests to other services. */
  outside: number
  /** Limits that the request was charged to. */
  limits: string[]
  receivedBytes: number
  sentBytes: number
}

/** A request, and its client address, by default a new one. */
export interface Asked {
  path: string
  init?: RequestInit
  address?: string
  /** Settings beside those of all others. */
  settings?: Partial<Bindings>
}

let bill = emptyBill()

function emptyBill(): Bill {
  return {
    queries: 0,
    rowsWritten: 0,
    files: 0,
    objects: 0,
    cache: 0,
    assets: 0,
    outside: 0,
    limits: [],
    receivedBytes: 0,
    sentBytes: 0,
  }
}

/** Adds calls to the edge cache and other services of this isolate to the bill. */
export function billGlobals(): void {
  const real = caches.default
  const cache = new Proxy(real, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return (...args: unknown[]) => {
        bill.cache++
        return Reflect.apply(member, target, args)
      }
    },
  })
  vi.stubGlobal('caches', { default: cache })
  vi.stubGlobal('fetch', async () => {
    bill.outside++
    return Response.json({ success: true })
  })
}

/** Sends a request, and returns the response with its bill. */
export async function ask({ path, init = {}, address, settings }: Asked): Promise<{
  status: number
  body: string
  bill: Bill
}> {
  bill = emptyBill()
  const own = bill
  const request = await requestOf(ORIGIN + path, init, address)
  const sentBytes = Number(request.headers.get('Content-Length') ?? 0)
  own.receivedBytes = headBytes(`${request.method} ${path} HTTP/1.1`, request.headers) + sentBytes
  const { ctx, ended } = executionContext()
  const response = await handleRequest(request, { ...BINDINGS, ...settings }, ctx)
  const body = new Uint8Array(await response.arrayBuffer())
  await ended()
  // The runtime compresses while it sends.
  const isCompressed = response.headers.has('Content-Encoding')
  const wire = isCompressed ? gzipSync(body).length : body.length
  own.sentBytes = headBytes('HTTP/1.1 200 OK', response.headers) + wire
  return { status: response.status, body: new TextDecoder().decode(body.subarray(0, 100_000)), bill: own }
}

function headBytes(line: string, headers: Headers): number {
  return [...headers].reduce((sum, [name, value]) => sum + name.length + value.length + 4, line.length + 4)
}

/** The keywords of statements that write rows. */
const WRITES = /^\s*(?:insert|update|delete|replace|with)\b/i

function billedDatabase<Database extends D1Database | D1DatabaseSession>(database: Database): Database {
  const statements = new WeakMap<object, D1PreparedStatement>()
  const billed = (statement: D1PreparedStatement, query: string): D1PreparedStatement => {
    const proxy = new Proxy(statement, {
      get(target, name) {
        if (name === 'bind') return (...values: unknown[]) => billed(target.bind(...values), query)
        if (name === 'run' || name === 'all') return async () => charged(await target[name]())
        // Only `raw` returns no row counts.
        if (name === 'raw' && WRITES.test(query)) {
          return async () => charged(await target.all()).results.map((row) => Object.values(row))
        }
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...args: unknown[]) => {
          bill.queries++
          return Reflect.apply(member, target, args)
        }
      },
    })
    statements.set(proxy, statement)
    return proxy
  }
  return new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') return (query: string) => billed(target.prepare(query), query)
      if (name === 'withSession' && 'withSession' in target) {
        return (constraint?: string) => billedDatabase(target.withSession(constraint))
      }
      if (name === 'batch') {
        return async (batch: D1PreparedStatement[]) => {
          const results = await target.batch(batch.map((one) => statements.get(one) ?? one))
          return results.map(charged)
        }
      }
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

function charged<Row>(result: D1Result<Row>): D1Result<Row> {
  bill.queries++
  bill.rowsWritten += result.meta.rows_written
  return result
}

const BINDINGS: Bindings = {
  ...env,
  DB: billedDatabase(env.DB),
  FILES: runBucketCalls(env.FILES, (_, call) => {
    bill.files++
    return call()
  }),
  RATE_LIMITER: runLimiterCalls((_, call, limits) => {
    bill.objects++
    bill.limits.push(...limits)
    return call()
  }),
  ASSETS: runAssetCalls((_, call) => {
    bill.assets++
    return call()
  }),
  PUBLIC_DOMAINS: DOMAIN,
  SINGLE_HOST_DOMAINS: DOMAIN,
  OPERATOR_KEY,
  PURGE_TOKEN: 'purge-token-of-the-operator',
  PURGE_ZONES: '1'.repeat(32),
  REPORT_WEBHOOK: 'https://hook.example/',
}
