// Clients of a service under load: honest ones, and one that stalls. Each sends its own address in CF-Connecting-IP.
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/** The result of a request: status 0 if there was no response. */
export interface Outcome {
  status: number
  retryAfterS: number | undefined
  ms: number
  text: string
}

export interface Ask {
  port: number
  path: string
  address: string
  method?: string
  type?: string
  headers?: Record<string, string>
  body?: Buffer | string
  stallAfter?: number
  dripMs?: number
  dripBytes?: number
  agent?: Agent
}

/** Attempts of an honest client after 503 with Retry-After. */
const MAX_TRIES = 20

/** Returns an agent that reuses its connections, for many small requests. The service closes idle ones after 5 s, the agent after 3. */
export const keepingAgent = () => new Agent({ keepAlive: true, timeout: 3000 })

/**
 * Sends one request. With `stallAfter`, it stops after that many bytes of the body until the service disconnects. With `dripMs`,
 * it then sends `dripBytes` more at this interval. The signal ends the connection.
 */
export function send(ask: Ask, signal?: AbortSignal): Promise<Outcome> {
  const { port, path, address, method = 'POST', type, headers, body, stallAfter, dripMs, dripBytes = 1, agent } = ask
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const end = (status: number, retryAfterS = '', text = '') =>
      resolve({
        status,
        retryAfterS: /^\d+$/.test(retryAfterS) ? Number(retryAfterS) : undefined,
        ms: performance.now() - startedMs,
        text,
      })
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: agent ?? false,
      headers: {
        ...headers,
        'CF-Connecting-IP': address,
        ...(type === undefined ? {} : { 'Content-Type': type }),
        ...(body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }),
      },
      ...(signal === undefined ? {} : { signal }),
    })
    let hasResponse = false
    outgoing.on('response', (incoming) => {
      hasResponse = true
      let text = ''
      incoming.setEncoding('latin1')
      incoming.on('data', (chunk) => {
        text += chunk
      })
      incoming.on('close', () => {
        end(incoming.statusCode ?? 0, incoming.headers['retry-after'], text)
        outgoing.destroy()
      })
      incoming.on('error', () => {})
    })
    // An upload that breaks off after the response is no failure.
    outgoing.on('error', () => {
      if (!hasResponse) end(0)
    })
    outgoing.on('close', () => {
      if (!hasResponse) end(0)
    })
    if (stallAfter === undefined) outgoing.end(body)
    else if (body !== undefined) {
      outgoing.write(body.slice(0, stallAfter))
      if (dripMs === undefined) return
      let sent = stallAfter
      const dripping = setInterval(() => {
        outgoing.write(body.slice(sent, sent + dripBytes))
        sent += dripBytes
      }, dripMs)
      outgoing.on('close', () => clearInterval(dripping))
    }
  })
}

/** Sends a request as an honest client does: it retries a 503 after Retry-After. Returns the outcome of each try; the last counts. */
export async function sendPatiently(ask: Ask): Promise<[Outcome, ...Outcome[]]> {
  const outcomes: [Outcome, ...Outcome[]] = [await send(ask)]
  for (let last = outcomes[0]; outcomes.length < MAX_TRIES; outcomes.push(last)) {
    if (last.status !== 503 || last.retryAfterS === undefined) break
    await wait(last.retryAfterS * 1000)
    last = await send(ask)
  }
  return outcomes
}

/** Sends nearly all of a body and stops, and repeats that whenever the service disconnects, until the signal. */
export async function stall(
  ask: Ask & { body: Buffer },
  signal: AbortSignal,
  onDisconnect: (outcome: Outcome) => void,
) {
  while (!signal.aborted) {
    const outcome = await send({ ...ask, stallAfter: ask.body.length - 100_000 }, signal)
    if (signal.aborted) return
    onDisconnect(outcome)
  }
}

/** Returns the form of an upload. */
export function uploadForm(
  file: Buffer,
  fields: Record<string, string>,
  boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW',
) {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="img"; filename="picture"\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

/** Returns a network address for each number. */
export function addressOf(number: number) {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

/** Counts by status, written as `200: 12, 503: 3`. */
export function byStatus(outcomes: Outcome[]) {
  const counts = new Map<string, number>()
  for (const { status, retryAfterS } of outcomes) {
    const name =
      status === 0
        ? 'no response'
        : status === 503 && retryAfterS === undefined
          ? '503 without Retry-After'
          : String(status)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const rows = [...counts].sort(([one], [other]) => one.localeCompare(other))
  return rows.map(([name, count]) => `${name}: ${count}`).join(', ') || 'none'
}
