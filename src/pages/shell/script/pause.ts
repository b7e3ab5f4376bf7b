import { SECOND_MS } from '../../../units.ts'
import type { Pause } from '../pause.ts'

const REASONS: Readonly<Record<number, Pause['reason']>> = { 429: 'limited', 503: 'busy' }

/** The pause that a response asks for; undefined if it does not. */
export function pauseOf(
  { status, retryAfter }: { status: number; retryAfter: string | null },
  nowMs: number,
): Pause | undefined {
  const reason = REASONS[status]
  if (reason === undefined || retryAfter === null || !/^\d{1,6}$/.test(retryAfter)) return undefined
  return { reason, untilMs: nowMs + Number(retryAfter) * SECOND_MS }
}

/** Resolves at a time, or when one of the signals is aborted. */
export function waitUntil(timeMs: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, timeMs - Date.now())
    for (const signal of signals) signal.addEventListener('abort', end)
    if (signals.some(({ aborted }) => aborted)) end()
  })
}
