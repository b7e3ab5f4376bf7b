import { within } from '../time.ts'

/** Statuses after which the same may be sent again; all from 500 on besides. */
const RETRYABLE = [408, 425, 429]

/**
 * Posts JSON to another service, and gives the status of its answer; undefined if there was none within `maxMs`. Never throws: the
 * message of an error may hold the address. No redirect is followed: it would take secrets elsewhere.
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

/** Whether the cause of such an answer, or of none, may pass by itself. */
export function mayPass(status: number | undefined): boolean {
  return status === undefined || status >= 500 || RETRYABLE.includes(status)
}

/** What the other service did, for the log: `answered 503`. */
export function describeStatus(status: number | undefined): string {
  return status === undefined ? 'did not answer' : `answered ${status}`
}
