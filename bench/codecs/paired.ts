// The processor time of two contestants that take turns in one process, whatever else the machine does: `node paired.ts
// CONTESTANT OTHER JOB KIND FILE TURNS` prints { ratio }, the median of the turns' ratios. Threads of the process count.

import { readFileSync } from 'node:fs'
import { messageOf } from '../../tools/shared/command-line.ts'
import { median } from '../support/statistics.ts'
import { CONTESTANTS, JOBS } from './contestants.ts'
import { cpuTimer } from './cpu-time.ts'

const [name = '', otherName = '', jobName = '', kind = '', file = '', turns] = process.argv.slice(2)
const [contestant, other, job] = [CONTESTANTS[name], CONTESTANTS[otherName], JOBS[jobName]]
if (!contestant || !other || !job) throw new Error(`there is no ${name}, no ${otherName} or no ${jobName}`)
const bytes = new Uint8Array(readFileSync(file))
try {
  const [run, otherRun] = [await contestant(job, kind), await other(job, kind)]
  const cpuMs = await cpuTimer(() => run(bytes))
  const otherCpuMs = await cpuTimer(() => otherRun(bytes))
  const ratios = []
  for (let i = 0; i < Number(turns); i++) ratios.push((await cpuMs()) / (await otherCpuMs()))
  console.log(JSON.stringify({ ratio: median(ratios) }))
} catch (error) {
  console.log(JSON.stringify({ error: messageOf(error).split('\n')[0] }))
}
