import codecCounted from '#generated/codec.counted.wasm'
import codec from '../../codec/generated/codec.wasm'

/**
 * Lets the service's codecs count their work. Some are instantiated as soon as they are imported, so a test imports this file
 * before any of codec/src/: by `import '.../counted-codecs.ts'` on a first line of its own.
 */

/** What test/support/counted-modules.mjs makes of them. */
const COUNTED = new Map([[codec, codecCounted]])
const counters: WebAssembly.Global[] = []

WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    super(COUNTED.get(module) ?? module, imports)
    if (this.exports.loops instanceof WebAssembly.Global) counters.push(this.exports.loops)
  }
}

/** The rounds of the codecs' loops that a job takes, and its result. Throws what the job throws. */
export async function roundsOf<Result>(job: () => Promise<Result>): Promise<{ rounds: number; result: Result }> {
  const before = roundsSoFar()
  const result = await job()
  if (counters.length === 0) throw new Error('no codec counts: this file must be imported before them')
  return { rounds: roundsSoFar() - before, result }
}

function roundsSoFar(): number {
  return counters.reduce((sum, { value }) => sum + Number(value), 0)
}
