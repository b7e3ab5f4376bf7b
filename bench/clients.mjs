// Clients of a service under load: honest ones, and one that stalls. Each says in CF-Connecting-IP which address is its own.
import { Agent, request } from 'node:http'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * The result of a request: status 0 if there was no response.
 * @typedef {{ status: number, retryAfterS: number | undefined, ms: number, text: string }} Outcome
 */

/**
 * @typedef {{
 *   port: number,
 *   path: string,
 *   address: string,
 *   method?: string,
 *   type?: string,
 *   headers?: Record<string, string>,
 *   body?: Buffer | string,
 *   stallAfter?: number,
 *   dripMs?: number,
 *   dripBytes?: number,
 *   agent?: Agent,
 * }} Ask
 */

/** Attempts of an honest client after 503 with Retry-After. */
const MAX_TRIES = 20

/** An agent that keeps its connections, for many small requests: not for the 5 s after which the other side closes them. */
export const keepingAgent = () => new Agent({ keepAlive: true, timeout: 3000 })

/**
 * Sends one request. With `stallAfter` it stops after so many bytes of the body, and waits to be given up. With `dripMs` it goes on
 * by `dripBytes`, or one byte, each so many milliseconds.
 * @param {Ask} ask
 * @param {AbortSignal} [signal] hangs up
 * @returns {Promise<Outcome>}
 */
export function send(ask, signal) {
  const { port, path, address, method = 'POST', type, headers, body, stallAfter, dripMs, dripBytes = 1, agent } = ask
  const startedMs = performance.now()
  return new Promise((resolve) => {
    const end = (/** @type {number} */ status, retryAfterS = '', text = '') =>
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
    let isAnswered = false
    outgoing.on('response', (incoming) => {
      isAnswered = true
      let text = ''
      incoming.setEncoding('latin1')
      incoming.on('data', (piece) => {
        text += piece
      })
      incoming.on('close', () => {
        end(incoming.statusCode ?? 0, incoming.headers['retry-after'], text)
        outgoing.destroy()
      })
      incoming.on('error', () => {})
    })
    // An upload that breaks off after the response is no failure.
    outgoing.on('error', () => {
      if (!isAnswered) end(0)
    })
    outgoing.on('close', () => {
      if (!isAnswered) end(0)
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

/**
 * Sends as an honest client does: after a 503 with Retry-After it comes again then. Returns what each try came to; the last counts.
 * @param {Ask} ask
 * @returns {Promise<[Outcome, ...Outcome[]]>}
 */
export async function sendPatiently(ask) {
  /** @type {[Outcome, ...Outcome[]]} */
  const outcomes = [await send(ask)]
  for (let last = outcomes[0]; outcomes.length < MAX_TRIES; outcomes.push(last)) {
    if (last.status !== 503 || last.retryAfterS === undefined) break
    await wait(last.retryAfterS * 1000)
    last = await send(ask)
  }
  return outcomes
}

/**
 * Sends nearly all of a body and stops, again and again at once until the signal; returns each time it was given up.
 * @param {Ask & { body: Buffer }} ask
 * @param {AbortSignal} signal
 * @param {(outcome: Outcome) => void} onGivenUp
 */
export async function stall(ask, signal, onGivenUp) {
  while (!signal.aborted) {
    const outcome = await send({ ...ask, stallAfter: ask.body.length - 100_000 }, signal)
    if (signal.aborted) return
    onGivenUp(outcome)
  }
}

/**
 * The form of an upload.
 * @param {Buffer} file
 * @param {Record<string, string>} fields
 * @param {string} [boundary]
 */
export function uploadForm(file, fields, boundary = '----WebKitFormBoundary7MA4YWxkTrZu0gW') {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="img"; filename="picture"\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(texts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

/** An address of its own for each number. */
export function addressOf(/** @type {number} */ number) {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`
}

/**
 * Counts by status, written as `200: 12, 503: 3`.
 * @param {Outcome[]} outcomes
 */
export function byStatus(outcomes) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const { status, retryAfterS } of outcomes) {
    const name =
      status === 0
        ? 'no answer'
        : status === 503 && retryAfterS === undefined
          ? '503 without Retry-After'
          : String(status)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const rows = [...counts].sort(([one], [other]) => one.localeCompare(other))
  return rows.map(([name, count]) => `${name}: ${count}`).join(', ') || 'none'
}
