import type { ProblemLogger } from '../domain/problem-logger.ts'
import { AFTER_RESPONSE_MAX_MS } from '../limits.ts'
import { SECOND_MS } from '../units.ts'

/**
 * Work after a response. The runtime cancels it 30 s after the response was sent or the client disconnected, and logs
 * the URL of the request: that of `POST /manage/<token>` contains a token. So no other file calls `waitUntil`, and
 * every promise here settles in time. A lagging clock ends it sooner, never later.
 * https://developers.cloudflare.com/workers/runtime-apis/context/#waituntil
 */

/** The part of a request's context that keeps its invocation alive. */
export interface Invocation {
  executionCtx: Pick<ExecutionContext, 'waitUntil'>
  req: { raw: Pick<Request, 'signal'> }
  var: { logProblem: ProblemLogger }
}

/** Times at which clients disconnected whose responses continue without them. */
const hungUpAtMs = new WeakMap<AbortSignal, number>()

/**
 * Runs `work` behind the response. Work that takes longer than AFTER_RESPONSE_MAX_MS is logged as `what` and abandoned: the cron or
 * the next request must do the rest.
 */
export function runAfterResponse(invocation: Invocation, what: string, work: () => Promise<unknown>): void {
  const { signal } = invocation.req.raw
  const { logProblem } = invocation.var
  const sinceHangUpMs = Date.now() - (hungUpAtMs.get(signal) ?? Date.now())
  const leftMs = Math.max(0, AFTER_RESPONSE_MAX_MS - sinceHangUpMs)
  const bounded = settlesBefore(tooLate(signal, leftMs), work())
  invocation.executionCtx.waitUntil(
    bounded.then(
      (isInTime) => {
        if (!isInTime) logProblem(what, new Error(`not done ${AFTER_RESPONSE_MAX_MS / SECOND_MS} s after the response`))
      },
      (error) => logProblem(what, error),
    ),
  )
}

/** Keeps the work of a response running for AFTER_RESPONSE_MAX_MS after its client hung up. */
export function finishAfterHangUp(
  { executionCtx, req }: Pick<Invocation, 'executionCtx' | 'req'>,
  response: Promise<unknown>,
): void {
  executionCtx.waitUntil(settlesBefore(tooLate(req.raw.signal), response).catch(() => {}))
}

/** A moment to come, and what forgets it. */
interface Moment {
  reached: Promise<void>
  forget: () => void
}

/** The moment `leftMs` from now, if that is given, or AFTER_RESPONSE_MAX_MS after the client hangs up, if that is earlier. */
function tooLate(signal: AbortSignal, leftMs?: number): Moment {
  const timers: ReturnType<typeof setTimeout>[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  const hangUp = () => {
    if (!hungUpAtMs.has(signal)) hungUpAtMs.set(signal, Date.now())
    timers.push(setTimeout(resolve, AFTER_RESPONSE_MAX_MS))
  }
  if (leftMs !== undefined) timers.push(setTimeout(resolve, leftMs))
  if (signal.aborted) hangUp()
  else signal.addEventListener('abort', hangUp, { once: true })
  const forget = () => {
    for (const timer of timers) clearTimeout(timer)
    signal.removeEventListener('abort', hangUp)
  }
  return { reached: promise, forget }
}

/** Whether `work` settles before that moment. Throws what it throws until then. */
async function settlesBefore({ reached, forget }: Moment, work: Promise<unknown>): Promise<boolean> {
  try {
    return await Promise.race([work.then(() => true), reached.then(() => false)])
  } finally {
    forget()
  }
}
