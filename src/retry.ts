import { wait } from './time.ts'

/** The number of attempts, and the errors that are retried. */
interface RetryRule {
  /** All attempts, with the first. */
  attempts: number
  /** Returns the pause before a further attempt, which is the nth retry. */
  pauseMs?: (retry: number) => number
  /** Returns whether the error may pass by itself; any may if left out. */
  isRetryable?: (error: unknown) => boolean
}

/** Returns what `act` returns, at the first attempt that does not fail. Throws the last error, or one that is not worth a retry. */
export async function retry<Result>(
  act: (attempt: number) => Promise<Result>,
  { attempts, pauseMs = () => 0, isRetryable = () => true }: RetryRule,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act(attempt)
    } catch (error) {
      if (attempt >= attempts || !isRetryable(error)) throw error
      const ms = pauseMs(attempt)
      if (ms > 0) await wait(ms)
    }
  }
}

/** Pauses that double from `firstMs` on, each by half of it longer or shorter at random. */
export function doublingFrom(firstMs: number): (retry: number) => number {
  return (retry) => firstMs * 2 ** (retry - 1) * (0.5 + Math.random())
}
