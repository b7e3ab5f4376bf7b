/**
 * Counts the memory of every WebAssembly instance that is made after this file was imported, also of those that nobody holds any
 * more until the garbage collector has taken them: V8 counts it nowhere. Some are made as soon as they are imported, so this is
 * imported before them.
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

/** How many there are, and their bytes. */
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
