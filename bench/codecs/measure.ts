// One case in a process of its own: `node measure.ts CONTESTANT JOB KIND FILE RUNS` prints { ms, wasmBytes, residentBytes }.
// `wasmBytes` is the size of every WASM memory at the end: they never shrink. `residentBytes` is the process's high-water mark
// in the runs above what the process held before them, the file with it; the code that is compiled counts. Node.js needs
// `--expose-gc`.
import { readFileSync, writeFileSync } from 'node:fs'
import { messageOf } from '../../tools/shared/command-line.ts'
import { memoryBytes } from '../support/process.ts'
import { median } from '../support/statistics.ts'
import { CONTESTANTS, JOBS } from './contestants.ts'
import { WARM_MS } from './cpu-time.ts'

const memories = new Set<WebAssembly.Memory>()
const { Instance } = WebAssembly
WebAssembly.Instance = new Proxy(Instance, {
  construct(target, [module, imports]) {
    return watch(new target(module, imports))
  },
})
WebAssembly.instantiate = new Proxy(WebAssembly.instantiate, {
  async apply(target, self, args) {
    const result = await Reflect.apply(target, self, args)
    watch(result.instance ?? result)
    return result
  },
})

function watch(instance: WebAssembly.Instance) {
  for (const value of Object.values(instance.exports)) if (value instanceof WebAssembly.Memory) memories.add(value)
  return instance
}

const [contestant = '', jobName = '', kind = '', file = '', runs] = process.argv.slice(2)
const [contest, job] = [CONTESTANTS[contestant], JOBS[jobName]]
if (contest === undefined || job === undefined) throw new Error(`there is no ${contestant} or no ${jobName}`)
const run = await contest(job, kind)
const bytes = new Uint8Array(readFileSync(file))
const before = residentBytesNow()
// Each of these processes ends by itself: process.exit() may hang while V8 compiles (nodejs/node#54918).
try {
  console.log(JSON.stringify(await measured()))
} catch (error) {
  console.log(JSON.stringify({ error: messageOf(error).split('\n')[0] }))
}

async function measured() {
  const times = []
  for (let warmMs = 0; warmMs < WARM_MS; ) warmMs += await timeMs()
  for (let i = 0; i < Number(runs); i++) times.push(await timeMs())
  const wasmBytes = [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0)
  const residentBytes = memoryBytes(process.pid, 'VmHWM') - before
  return { ms: median(times), wasmBytes, residentBytes }
}

async function timeMs() {
  const start = performance.now()
  await run(bytes)
  return performance.now() - start
}

/** Returns the resident memory after a garbage collection, and resets its high-water mark (proc_pid_clear_refs(5)). */
function residentBytesNow() {
  globalThis.gc?.()
  writeFileSync('/proc/self/clear_refs', '5')
  return memoryBytes(process.pid, 'VmRSS')
}
