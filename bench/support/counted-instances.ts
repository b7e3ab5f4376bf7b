/**
 * Counts the memory of every WebAssembly instance that is created after this file was imported. It includes instances that the garbage
 * collector has not freed yet, which V8 does not count. Import it first: some modules create instances as soon as they are imported.
 */
const memories = new Set<WeakRef<WebAssembly.Memory>>()

WebAssembly.Instance = class extends WebAssembly.Instance {
  constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
    super(module, imports)
    for (const value of Object.values(this.exports)) {
      if (value instanceof WebAssembly.Memory) memories.add(new WeakRef(value))
    }
  }
}

/** Their number, and their bytes. */
function instancesInMemory(): { count: number; bytes: number } {
  let bytes = 0
  for (const reference of memories) {
    const memory = reference.deref()
    if (memory) bytes += memory.buffer.byteLength
    else memories.delete(reference)
  }
  return { count: memories.size, bytes }
}

// For the inspector, which evaluates there.
Object.assign(globalThis, { instancesInMemory })
