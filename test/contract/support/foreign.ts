import { setTimeout as wait } from 'node:timers/promises'
import { TestRunner } from 'vitest'
import { type ApiResponse, type Ask, header, send } from './client.ts'
import { fieldOf, noteCreated } from './created.ts'
import { type Names, namesOf } from './names.ts'
import type { Target } from './target.ts'

const MAKERS = ['/images', '/covers', '/upload', '/share', '/galleries']
const READABLE = /^(?:text\/|application\/(?:json|.*\+json|manifest\+json))/
/** Why tests that create content without a management token do not run against another service. */
export const UNDELETABLE = 'it would leave a picture that nobody can delete'
const ADDRESS_HEADER = 'cf-connecting-ip'

/**
 * Sends requests of tests to another service: with its host names, with a management token for everything that is
 * created, and within the status rate limit. Requests that it cannot send skip their test, with a reason.
 */
export function foreignSender(target: Target): (ask: Ask) => Promise<ApiResponse> {
  const names = namesOf(target)
  const inTurn = oneAfterTheOther()
  return async (ask) => {
    const { asked, sent } = watched(addressed(names, removable(ask)))
    if (asked.path === '/report' && (ask.method ?? 'POST') === 'POST') skip('a report would reach its operator')
    const url = target.direct ? target.baseUrl : `${new URL(target.baseUrl).protocol}//${asked.host}`
    const response = await (target.choosesAddress || !spendsToken(asked)
      ? send(url, target.choosesAddress ? asked : withoutAddress(asked))
      : inTurn(() => sendPatiently(url, withoutAddress(asked))))
    if (MAKERS.includes(asked.path) && response.status === 200)
      noteCreated(target.createdFile, asked.path, sent(), response, nameOfTest())
    return isLocalHost(ask.host) ? response : renamed(names, response)
  }
}

function nameOfTest(): string {
  return TestRunner.getCurrentTest()?.fullName ?? 'no test'
}

/** Skips the running test. */
export function skip(why: string): never {
  const test = TestRunner.getCurrentTest()
  if (!test) throw new Error(`not against a service of somebody else's: ${why}`)
  return test.context.skip(why)
}

/** Adds a request for a management token, because content must be deletable. */
function removable(ask: Ask): Ask {
  const type = Object.entries(ask.headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const boundary = /^multipart\/form-data\b.*?boundary="?([^";]+)/i.exec(type)?.[1]
  if (!MAKERS.includes(ask.path) || ask.asIs || (ask.method ?? 'POST') !== 'POST') return ask
  const sent = bytesOf(ask.body) ?? Buffer.alloc(0)
  // The gallery has a token of its own.
  if (fieldOf(sent, 'gallery_hash')) return ask
  const wish = fieldOf(sent, 'include_manage_url')
  if ((wish === '' || wish === '0') && ask.path !== '/galleries') skip(UNDELETABLE)
  if (sent.includes('include_manage_url')) return ask
  if (boundary !== undefined) {
    const field = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="include_manage_url"\r\n\r\n1\r\n`)
    return ask.body === undefined ? ask : { ...ask, body: preceded(field, ask.body, `--${boundary}`) }
  }
  if (!type.startsWith('application/x-www-form-urlencoded') || isInChunks(ask.body)) return ask
  return { ...ask, body: Buffer.concat([Buffer.from('include_manage_url=1&'), sent]) }
}

/** Returns the body with a field in front of its own fields. */
function preceded(field: Buffer, body: NonNullable<Ask['body']>, opening: string): NonNullable<Ask['body']> {
  const bytes = bytesOf(body)
  if (bytes !== undefined) {
    const at = bytes.indexOf(`${opening}\r\n`)
    return at < 0 ? bytes : Buffer.concat([bytes.subarray(0, at), field, bytes.subarray(at)])
  }
  if (!isInChunks(body)) return body
  return (async function* () {
    yield field
    yield* body
  })()
}

/** Returns the request, and a function that returns the part of its body that was sent. */
function watched(ask: Ask & { host: string }): { asked: Ask & { host: string }; sent: () => Buffer } {
  const { body } = ask
  const bytes = bytesOf(body)
  if (!isInChunks(body)) return { asked: ask, sent: () => bytes ?? Buffer.alloc(0) }
  const chunks: Uint8Array[] = []
  async function* noted(source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    for await (const chunk of source) {
      chunks.push(chunk)
      yield chunk
    }
  }
  return { asked: { ...ask, body: noted(body) }, sent: () => Buffer.concat(chunks) }
}

function addressed(names: Names, ask: Ask): Ask & { host: string } {
  const named = names.host(ask.host ?? 'one.example')
  if ('why' in named) skip(named.why)
  const path = names.outgoing(ask.path) ?? skip('it needs public domains that the service has not')
  const type = Object.entries(ask.headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  const bytes = type.startsWith('multipart/') ? undefined : bytesOf(ask.body)
  const origin = ask.headers?.origin
  const ownOrigin = origin && (names.outgoing(origin) ?? skip('it needs public domains that the service has not'))
  const headers = ownOrigin ? { ...ask.headers, origin: ownOrigin } : ask.headers
  const same = { ...ask, ...(headers && { headers }), path, host: named.host }
  if (!bytes?.includes('.example')) return same
  const body = names.outgoing(bytes.toString('latin1')) ?? skip('it needs public domains that the service has not')
  return { ...same, body: Buffer.from(body, 'latin1') }
}

function renamed(names: Names, response: ApiResponse): ApiResponse {
  const headers = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? names.incoming(value) : value?.map(names.incoming),
    ]),
  )
  if (!READABLE.test(header(response, 'content-type') ?? '')) return { ...response, headers }
  const text = names.incoming(response.text)
  return text === response.text ? { ...response, headers } : { ...response, headers, text, bytes: Buffer.from(text) }
}

/** Waits until the service accepts the next request, and retries if it does not (RFC 9110, 10.2.3). */
async function sendPatiently(url: string, ask: Ask): Promise<ApiResponse> {
  const response = await send(url, ask)
  if (response.status === 429 && !ask.impatient) {
    await wait(1000 * Number(header(response, 'retry-after') ?? 6))
    return sendPatiently(url, ask)
  }
  return response
}

function oneAfterTheOther(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}

function spendsToken({ path, method = 'POST' }: Ask): boolean {
  return path === '/images/status' && method === 'POST'
}

function withoutAddress(ask: Ask): Ask {
  const headers = Object.entries(ask.headers ?? {}).filter(([name]) => name.toLowerCase() !== ADDRESS_HEADER)
  return { ...ask, headers: Object.fromEntries(headers) }
}

/** Returns the bytes of a body that is not streamed. */
function bytesOf(body: Ask['body']): Buffer | undefined {
  return body === undefined || isInChunks(body) ? undefined : Buffer.from(body)
}

function isInChunks(body: Ask['body']): body is Iterable<Uint8Array> | AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !(body instanceof Uint8Array)
}

function isLocalHost(host = ''): boolean {
  return /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(host)
}
