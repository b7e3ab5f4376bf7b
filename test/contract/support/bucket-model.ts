import { expect } from 'vitest'
import { type ApiResponse, header } from './client.ts'

/** The two moments between which something happened, in milliseconds of the test's clock. */
interface Span {
  sentMs: number
  receivedMs: number
}

/** The outcomes of one request that the specification allows: both if the clock leaves it open. */
export interface Verdict {
  mayPass: boolean
  mayRefuse: boolean
  /** Bounds of Retry-After in seconds, if the request is rejected. */
  retryAfter: [least: number, most: number]
}

const BURST = 5
const INTERVAL_MS = 6000

/**
 * Models the token bucket of D24 from outside. The service judges a request at an unknown moment between request and
 * response. So the model keeps the earliest and the latest possible state of the bucket, and no test depends on speed.
 */
export function bucketModel(): { judge: (span: Span) => Verdict; passed: (span: Span) => void } {
  // The moment at which the bucket is full again.
  let fullLeastMs = Number.NEGATIVE_INFINITY
  let fullMostMs = Number.NEGATIVE_INFINITY
  const roomMs = (BURST - 1) * INTERVAL_MS
  return {
    judge: ({ sentMs, receivedMs }) => ({
      mayPass: fullLeastMs - receivedMs <= roomMs,
      mayRefuse: fullMostMs - sentMs > roomMs,
      retryAfter: [
        Math.max(1, Math.ceil((fullLeastMs - receivedMs - roomMs) / 1000)),
        Math.max(1, Math.ceil((fullMostMs - sentMs - roomMs) / 1000)),
      ],
    }),
    passed: ({ sentMs, receivedMs }) => {
      fullLeastMs = Math.max(fullLeastMs, sentMs) + INTERVAL_MS
      fullMostMs = Math.max(fullMostMs, receivedMs) + INTERVAL_MS
    },
  }
}

/** Sends one request, and compares the outcome with the model: passed or rejected, with Retry-After in its bounds. */
export async function askChecked(
  model: ReturnType<typeof bucketModel>,
  ask: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { response, span } = await timed(ask)
  const verdict = model.judge(span)
  if (response.status === 429) {
    const [least, most] = verdict.retryAfter
    const retryAfter = Number(header(response, 'retry-after'))
    expect(verdict.mayRefuse, 'refused though a token was there').toBe(true)
    expect(retryAfter).toBeGreaterThanOrEqual(least)
    expect(retryAfter).toBeLessThanOrEqual(most)
  } else {
    expect(verdict.mayPass, 'let through though the bucket was empty').toBe(true)
    model.passed(span)
  }
  return response
}

async function timed(ask: () => Promise<ApiResponse>): Promise<{ response: ApiResponse; span: Span }> {
  const sentMs = Date.now()
  const response = await ask()
  return { response, span: { sentMs, receivedMs: Date.now() } }
}
