import { within } from '../time.ts'

/** What the call gives, if it does within so many milliseconds; otherwise throws an Error that says that `what` did not answer. */
export async function inTime<Result>(maxMs: number, what: string, call: () => Promise<Result>): Promise<Result> {
  const answer = await within(
    maxMs,
    call().then((result) => ({ result })),
  )
  if (!answer) throw new Error(`${what} did not answer in time`)
  return answer.result
}
