// The processor time of two contestants that take turns in one process, whatever else the machine does: `node paired.ts
// CONTESTANT OTHER JOB KIND FILE TURNS` prints { ratio }, the median of the turns' ratios. Threads of the process count.

import { readFileSync } from 'node:fs'
import { messageOf } from '../tools/shared/command-line.ts'
import type { Encode } from './contestants.ts'
import { CONTESTANTS, JOBS, WARM_MS } from './contestants.ts'

/** A turn repeats a job that is shorter, whose time would be that of a few ticks. */
const TURN_MS = 60

const [name = '', otherName = '', jobName = '', kind = '', file = '', turns] = process.argv.slice(2)
const [contestant, other, job] = [CONTESTANTS[name], CONTESTANTS[otherName], JOBS[jobName]]
if (!contestant || !other || !job) throw new Error(`there is no ${name}, no ${otherName} or no ${jobName}`)
const bytes = new Uint8Array(readFileSync(file))
try {
  const pair = [await contestant(job, kind), await other(job, kind)]
  const repeats = []
  for (const run of pair) {
    for (let warmMs = 0; warmMs < WARM_MS; ) warmMs += await cpuMs(run)
    repeats.push(Math.max(1, Math.round(TURN_MS / (await cpuMs(run, 1)))))
  }
  const ratios = []
  for (let i = 0; i < Number(turns); i++) {
    const [a = 0, b = 0] = [await cpuMs(pair[0], repeats[0]), await cpuMs(pair[1], repeats[1])]
    ratios.push(a / b)
  }
  ratios.sort((a, b) => a - b)
  console.log(JSON.stringify({ ratio: ratios[Math.floor(ratios.length / 2)] }))
} catch (error) {
  console.log(JSON.stringify({ error: messageOf(error).split('\n')[0] }))
}

/** Returns the mean CPU time of a run. */
async function cpuMs(run: Encode | undefined, times: number | undefined = 1) {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) await run?.(bytes)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / times
}
