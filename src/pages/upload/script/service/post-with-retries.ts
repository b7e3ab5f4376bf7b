import type { Pause } from '../../../shell/pause.ts'
import { pauseOf, waitUntil } from '../../../shell/script/pause.ts'
import { type PostOptions, post, type ServiceResponse } from './post.ts'

/** With pauses of 5 s, the request is given up after three hours. */
const MAX_PAUSES = 2000

/**
 * Sends a form as `post` does, and again after a response with Retry-After (429 or 503). `onPause` is called with the pause when
 * it begins, and without one when it ends. `held` ends pauses, but no request that is under way.
 */
export async function postWithRetries(
  path: string,
  form: FormData | URLSearchParams,
  {
    onPause,
    held,
    ...options
  }: PostOptions & { onPause: (pause: Pause | undefined) => void; held?: AbortSignal | undefined },
): Promise<ServiceResponse> {
  const signals = [options.signal, held].filter((signal) => signal !== undefined)
  for (let pauses = 0; ; pauses++) {
    const response = await post(path, form, options)
    const pause = pauses < MAX_PAUSES ? pauseOf(response, Date.now()) : undefined
    if (!pause) return response
    onPause(pause)
    await waitUntil(pause.untilMs, signals)
    onPause(undefined)
    if (signals.some(({ aborted }) => aborted)) return { status: 0, text: '', code: null, retryAfter: null }
  }
}
