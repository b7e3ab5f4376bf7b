import { type Pause, pauseOf } from './pause.ts'
import { type Answer, type PostOptions, post } from './post.ts'

/** A service that says 5 s each time is given up after three hours. */
const MAX_PAUSES = 2000

/**
 * Sends a form as `post` does. An answer that says to come again later (429 or 503 with Retry-After) is waited out, and the form
 * sent again: `onPause` is told when that begins, and without a pause when it ends.
 */
export async function postPatiently(
  path: string,
  form: FormData | URLSearchParams,
  { onPause, ...options }: PostOptions & { onPause: (pause: Pause | undefined) => void },
): Promise<Answer> {
  for (let pauses = 0; ; pauses++) {
    const answer = await post(path, form, options)
    const pause = pauses < MAX_PAUSES ? pauseOf(answer, Date.now()) : undefined
    if (!pause) return answer
    onPause(pause)
    await waitUntil(pause.untilMs, options.signal)
    onPause(undefined)
    if (options.signal?.aborted) return { status: 0, text: '', retryAfter: null }
  }
}

function waitUntil(timeMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, timeMs - Date.now())
    signal?.addEventListener('abort', end)
  })
}
