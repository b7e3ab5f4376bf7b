import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { Bindings } from '../../src/env.ts'
import type { CallRunner } from '../../src/storage/calls.ts'

let clients = 0

/**
 * Returns an address that no other request of this isolate has. All have the same length, because prices count received
 * bytes.
 */
function newAddress(): string {
  const number = clients++
  return [10, ...[10_000, 100, 1].map((unit) => 100 + (Math.floor(number / unit) % 100))].join('.')
}

/**
 * Returns a request with the length of its body, as clients send it. By default it has its own address, so that no
 * limit is reached.
 */
export async function requestOf(url: string, init: RequestInit, address = newAddress()): Promise<Request> {
  const request = new Request(url, init)
  request.headers.set('CF-Connecting-IP', address)
  if (request.body === null) return request
  const body = await request.arrayBuffer()
  request.headers.set('Content-Length', String(body.byteLength))
  return new Request(request.url, { method: request.method, headers: request.headers, body })
}

/** Returns an execution context, and a function that waits for all work after the response. */
export function executionContext() {
  const waiting: Promise<unknown>[] = []
  const ctx = new Proxy(createExecutionContext(), {
    get: (target, name) =>
      name === 'waitUntil' ? (promise: Promise<unknown>) => void waiting.push(promise) : Reflect.get(target, name),
  })
  const ended = async () => {
    while (waiting.length > 0) await Promise.allSettled(waiting.splice(0))
  }
  return { ctx, ended }
}

/** Runs a call to the limiter, named `DO.take`; `limits` are the limits that it charges. */
type LimiterRunner = <Result>(name: string, call: () => Promise<Result>, limits: readonly string[]) => Promise<Result>

/** Returns the real limiter, with `run` around each of its calls. */
export function runLimiterCalls(run: LimiterRunner): Bindings['RATE_LIMITER'] {
  return new Proxy(env.RATE_LIMITER, {
    get(target, name) {
      if (name !== 'getByName') return Reflect.get(target, name)
      return (...of: Parameters<typeof target.getByName>) => {
        const stub = target.getByName(...of)
        return {
          take: (...args: Parameters<typeof stub.take>) => {
            const limits = args[1].map((charge) => charge.name)
            return run('DO.take', async () => stub.take(...args), limits)
          },
          ready: () => run('DO.ready', async () => stub.ready(), []),
        }
      }
    },
  })
}

/** Returns the real static assets, with `run` around each call. Reading a body is no call. */
export function runAssetCalls(run: CallRunner): Fetcher {
  return new Proxy(env.ASSETS, {
    get(target, name) {
      if (name !== 'fetch') return Reflect.get(target, name)
      return (...args: Parameters<Fetcher['fetch']>) => run('assets.fetch', () => target.fetch(...args))
    },
  })
}
