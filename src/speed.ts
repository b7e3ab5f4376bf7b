/** Speed of jobs, as the mean of the latest ones. */
export interface Speed {
  /** Notes a job that has ended. */
  note(cost: number, tookMs: number): void
  /** Returns the time for this cost, in milliseconds. */
  msOf(cost: number): number
}

/** Weight of each earlier job, beside that of the job after it. */
const DECAY = 0.9

/** Measures a speed, beginning with an expected one. */
export function createSpeed(expected: { cost: number; ms: number }): Speed {
  let { cost, ms } = expected
  return {
    note(jobCost, tookMs) {
      if (tookMs <= 0) return
      cost = cost * DECAY + jobCost
      ms = ms * DECAY + tookMs
    },
    msOf: (work) => (work * ms) / cost,
  }
}
