import { afterAll, beforeAll } from 'vitest'
import codecCounted from '#generated/codec.counted.wasm'
import module from '../generated/codec.wasm'
import type { Codec } from '../src/codec.ts'
import { codec as codecOfTests } from './codec.ts'

const counters: WebAssembly.Global[] = []

/**
 * Lets a codec count its work during this file, that of these tests where none is given: its instances are those of the module
 * that counted-modules.mjs makes. The files before and after it, in the same process, have the one that does not count.
 */
export function countRounds(codec: Pick<Codec, 'release'> = codecOfTests): void {
  const { Instance } = WebAssembly
  beforeAll(() => {
    codec.release()
    WebAssembly.Instance = class extends Instance {
      constructor(wanted: WebAssembly.Module, imports?: WebAssembly.Imports) {
        super(wanted === module ? codecCounted : wanted, imports)
        if (this.exports.loops instanceof WebAssembly.Global) counters.push(this.exports.loops)
      }
    }
  })
  afterAll(() => {
    WebAssembly.Instance = Instance
    counters.length = 0
    codec.release()
  })
}

/** The rounds of the codec's loops that a job takes, and its result. Throws what the job throws. */
export async function roundsOf<Result>(job: () => Promise<Result>): Promise<{ rounds: number; result: Result }> {
  const before = roundsSoFar()
  const result = await job()
  if (counters.length === 0) throw new Error('no codec counts: the file must call countRounds')
  return { rounds: roundsSoFar() - before, result }
}

function roundsSoFar(): number {
  return counters.reduce((sum, { value }) => sum + Number(value), 0)
}
