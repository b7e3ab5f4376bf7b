import { isolateNowMs } from '../../time.ts'

/**
 * Shares the last result of `ask` with all requests of this isolate for `freshMs`. Requests during a refresh get the
 * previous result.
 */
export function keepFresh<Result>(freshMs: number): (ask: () => Promise<Result>) => Promise<Result> {
  let known: { result: Result; askedAtMs: number } | undefined
  return async (ask) => {
    const nowMs = isolateNowMs()
    // The clock of a machine may be set back.
    if (known && Math.abs(nowMs - known.askedAtMs) < freshMs) return known.result
    // A promise of this request must not be waited for by another.
    if (known) known = { ...known, askedAtMs: nowMs }
    const result = await ask()
    known = { result, askedAtMs: nowMs }
    return result
  }
}
