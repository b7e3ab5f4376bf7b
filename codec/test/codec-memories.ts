import { vi } from 'vitest'

/** Runs a job with every module loaded again; returns the memories of all WebAssembly instances that it made, dropped ones too. */
export async function memoriesOf(job: () => Promise<unknown>): Promise<WebAssembly.Memory[]> {
  const memories: WebAssembly.Memory[] = []
  const { Instance } = WebAssembly
  class WatchedInstance extends Instance {
    constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
      super(module, imports)
      const memory = Object.values(this.exports).find((value) => value instanceof WebAssembly.Memory)
      if (memory) memories.push(memory)
    }
  }
  vi.resetModules()
  WebAssembly.Instance = WatchedInstance
  try {
    await job()
  } finally {
    WebAssembly.Instance = Instance
  }
  return memories
}

/** All that memories take, in MB. */
export function megabytes(memories: readonly WebAssembly.Memory[]): number {
  return memories.reduce((total, { buffer }) => total + buffer.byteLength, 0) / 1e6
}
