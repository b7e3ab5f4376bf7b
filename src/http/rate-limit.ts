import { LIMITER_MAX_MS } from '../limits.ts'
import type { AppContext } from './context.ts'
import { inTime } from './in-time.ts'

/**
 * What the rate limiter decides; undefined if it cannot be reached, or does not answer in time. Every request passes then, and
 * that is logged: limits protect the service, and are no reason for it to fail.
 */
export async function askLimiter<Decision>(
  { var: { logProblem } }: AppContext,
  ask: () => Promise<Decision>,
): Promise<Decision | undefined> {
  try {
    return await inTime(LIMITER_MAX_MS, 'the limiter', ask)
  } catch (error) {
    logProblem('ask the rate limiter', error)
    return undefined
  }
}
