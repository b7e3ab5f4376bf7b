// The CPU time of jobs in this process, with all of its threads.

/** Time that each job runs before it is measured: the engine optimizes only code that has run for a while. */
export const WARM_MS = 500

/** A measurement repeats a shorter job, whose time would be that of a few ticks. */
const MEASURED_MS = 60

export type Run = () => Promise<unknown>

/** Warms a job up. Returns a function that measures the mean CPU time of a run, in milliseconds. */
export async function cpuTimer(run: Run) {
  for (let warmMs = 0; warmMs < WARM_MS; ) warmMs += await meanCpuMs(run, 1)
  const times = Math.max(1, Math.round(MEASURED_MS / (await meanCpuMs(run, 1))))
  return () => meanCpuMs(run, times)
}

async function meanCpuMs(run: Run, times: number) {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}
