import { LIMITER_MAX_MS } from '../limits.ts'
import type { AppContext } from './context.ts'

/**
 * What the rate limiter decides; undefined if it cannot be reached, or does not answer in time. Every request passes then, and
 * that is logged: limits protect the service, and are no reason for it to fail.
 */
export async function askLimiter<Decision>(
  { var: { logProblem } }: AppContext,
  ask: () => Promise<Decision>,
): Promise<Decision | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the limiter did not answer in time')), LIMITER_MAX_MS)
  })
  try {
    return await Promise.race([ask(), tooLate])
  } catch (error) {
    logProblem('ask the rate limiter', error)
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
