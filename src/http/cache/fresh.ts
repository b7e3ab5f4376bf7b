import { isolateNowMs } from '../../time.ts'

/**
 * Shares the last result of `ask` with all requests of this isolate for `freshMs`. Requests during a refresh get the
 * previous result.
 */
export function keepFresh<Answer>(freshMs: number): (ask: () => Promise<Answer>) => Promise<Answer> {
  let known: { answer: Answer; askedAtMs: number } | undefined
  return async (ask) => {
    const nowMs = isolateNowMs()
    // The clock of a machine may be set back.
    if (known && Math.abs(nowMs - known.askedAtMs) < freshMs) return known.answer
    // A promise of this request must not be waited for by another.
    if (known) known = { ...known, askedAtMs: nowMs }
    const answer = await ask()
    known = { answer, askedAtMs: nowMs }
    return answer
  }
}
