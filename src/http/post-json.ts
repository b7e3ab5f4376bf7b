import { Buffer } from 'node:buffer'
import { within } from '../time.ts'

/** Statuses after which the same may be sent again; all from 500 on besides. */
const RETRYABLE = [408, 425, 429]

/** A response of another service. */
interface PostResponse {
  status: number
  text: string
}

/**
 * Posts JSON to another service, and returns the status of its response; undefined if there was none within `maxMs`.
 * Never throws, because the message of an error may contain the address. Redirects are not followed, because they would
 * send secrets elsewhere.
 */
export async function postJson(
  url: string | URL,
  body: string,
  headers: Record<string, string>,
  maxMs: number,
): Promise<number | undefined> {
  const type = { 'Content-Type': 'application/json; charset=UTF-8' }
  return post(url, { body, headers: { ...type, ...headers } }, maxMs, async (response) => {
    await response.body?.cancel()
    return response.status
  })
}

/** Posts JSON or a form as `postJson` does, and returns the response too. One of more than `maxBytes` counts as none. */
export async function postAndRead(
  url: string | URL,
  request: Pick<RequestInit, 'body' | 'headers'>,
  maxMs: number,
  maxBytes: number,
): Promise<PostResponse | undefined> {
  return post(url, request, maxMs, async (response) => {
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > maxBytes) return undefined
      chunks.push(chunk)
    }
    return { status: response.status, text: new TextDecoder().decode(Buffer.concat(chunks)) }
  })
}

async function post<Result>(
  url: string | URL,
  request: Pick<RequestInit, 'body' | 'headers'>,
  maxMs: number,
  read: (response: Response) => Promise<Result>,
): Promise<Result | undefined> {
  // Not AbortSignal.timeout: its timer counts from a clock that may lag.
  const controller = new AbortController()
  const ask = async () =>
    read(await fetch(url, { method: 'POST', redirect: 'manual', signal: controller.signal, ...request }))
  try {
    return await within(maxMs, ask())
  } catch {
    return undefined
  } finally {
    controller.abort()
  }
}

/** Returns whether the cause of such a response, or of none, may be temporary. */
export function mayPass(status: number | undefined): boolean {
  return status === undefined || status >= 500 || RETRYABLE.includes(status)
}

/** Describes the result for the log: `responded with 503`. */
export function describeStatus(status: number | undefined): string {
  return status === undefined ? 'did not respond' : `responded with ${status}`
}
