import { SECOND_MS } from '../../../../units.ts'
import type { PauseReason } from '../../upload-words.ts'

/** Why the service takes nothing now, and until when. */
export interface Pause {
  reason: PauseReason
  untilMs: number
}

const REASONS: Readonly<Record<number, PauseReason>> = { 429: 'limited', 503: 'busy' }

/** The pause that a response asks for; undefined if it does not. */
export function pauseOf(
  { status, retryAfter }: { status: number; retryAfter: string | null },
  nowMs: number,
): Pause | undefined {
  const reason = REASONS[status]
  if (reason === undefined || retryAfter === null || !/^\d{1,6}$/.test(retryAfter)) return undefined
  return { reason, untilMs: nowMs + Number(retryAfter) * SECOND_MS }
}
