import { within } from '../time.ts'

/** Statuses after which the same may be sent again; all from 500 on besides. */
const RETRYABLE = [408, 425, 429]

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
  // Not AbortSignal.timeout: its timer counts from a clock that may lag.
  const controller = new AbortController()
  const post = async () => {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: controller.signal,
      headers: { 'Content-Type': 'application/json; charset=UTF-8', ...headers },
      body,
    })
    await response.body?.cancel()
    return response.status
  }
  try {
    return await within(maxMs, post())
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
