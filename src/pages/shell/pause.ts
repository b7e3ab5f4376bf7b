import { MINUTE_MS } from '../../units.ts'
import type { Template } from '../messages/types.ts'
import { format } from './formatting.ts'
import type { Language } from './language.ts'

/** The reason for a pause: the client has reached a limit, or the service is busy. */
type PauseReason = 'limited' | 'busy'

/** A time in which the service accepts no uploads. */
export interface Pause {
  reason: PauseReason
  untilMs: number
}

export type PauseWords = Readonly<Record<PauseReason, Template<'time'>>>

/** Returns the reason of a pause, and the time of its end, rounded up to a minute: 14:33. */
export function describePause(language: Language, words: PauseWords, { reason, untilMs }: Pause): string {
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' })
  return format(words[reason], { time: clock.format(Math.ceil(untilMs / MINUTE_MS) * MINUTE_MS) })
}
