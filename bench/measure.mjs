// One case in a process of its own: `node measure.mjs CONTESTANT JOB KIND FILE RUNS` prints { ms, wasmBytes, residentBytes }.
// `wasmBytes` is the size of every WASM memory at the end: they never shrink. `residentBytes` is the process's high-water mark
// above what it was before the first run.
import { readFileSync } from 'node:fs'
import { CONTESTANTS, JOBS } from './contestants.mjs'

const memories = new Set()
const { Instance } = WebAssembly
WebAssembly.Instance = new Proxy(Instance, {
  construct(target, args) {
    return watch(new target(...args))
  },
})
const { instantiate } = WebAssembly
WebAssembly.instantiate = async (...args) => {
  const result = await instantiate(...args)
  watch(result.instance ?? result)
  return result
}

function watch(instance) {
  for (const value of Object.values(instance.exports)) if (value instanceof WebAssembly.Memory) memories.add(value)
  return instance
}

const [contestant, job, kind, file, runs] = process.argv.slice(2)
const run = await CONTESTANTS[contestant](JOBS[job], kind)
const bytes = new Uint8Array(readFileSync(file))
const before = process.resourceUsage().maxRSS
const times = []
try {
  for (let i = 0; i < Number(runs) + 1; i++) {
    const start = performance.now()
    await run(bytes)
    // The first run compiles.
    if (i > 0) times.push(performance.now() - start)
  }
} catch (error) {
  console.log(JSON.stringify({ error: String(error?.message ?? error).split('\n')[0] }))
  process.exit(0)
}
times.sort((a, b) => a - b)
const wasmBytes = [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0)
const residentBytes = (process.resourceUsage().maxRSS - before) * 1024
console.log(JSON.stringify({ ms: times[Math.floor(times.length / 2)], wasmBytes, residentBytes }))
process.exit(0)
