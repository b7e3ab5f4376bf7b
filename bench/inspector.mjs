// Reads the memory use of an isolate through workerd's inspector (the Chrome DevTools Protocol, "Runtime").

/**
 * Its parts in bytes: the heap of JavaScript, array buffers, and WebAssembly's memory where bench/measured-worker.ts counts it.
 * @typedef {{ heap: number, buffers: number, wasm: number }} IsolateMemory
 */

/** The isolate of tools/serve/serve.mjs that holds what is uploaded. */
export const ISOLATES = { worker: 'core:user:tintype' }

const WASM_BYTES = 'globalThis.instancesInMemory?.().bytes ?? 0'

/**
 * Connects to an isolate; returns the way to ask it, and the way to end.
 * @param {number} port
 * @param {string} isolate
 */
export async function inspect(port, isolate) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${isolate}`)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = () => reject(new Error(`the inspector of ${isolate} does not answer`))
  })
  /** @type {Map<number, (message: { result?: any, error?: { message: string } }) => void>} */
  const asked = new Map()
  /** @type {number | undefined} */
  let contextId
  let lastId = 0
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data)
    if (message.method === 'Runtime.executionContextCreated') contextId = message.params.context.id
    asked.get(message.id)?.(message)
    asked.delete(message.id)
  }
  const ask = async (/** @type {string} */ method, /** @type {object} */ params = {}) => {
    const id = ++lastId
    const answer = new Promise(
      (/** @type {(message: { result?: any, error?: { message: string } }) => void} */ resolve) => {
        asked.set(id, resolve)
      },
    )
    socket.send(JSON.stringify({ id, method, params }))
    const { result, error } = await answer
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  // There is no default context: this tells of the one there is.
  await ask('Runtime.enable')

  return {
    /** @returns {Promise<IsolateMemory>} */
    async memory() {
      const { usedSize, embedderHeapUsedSize, backingStorageSize } = await ask('Runtime.getHeapUsage')
      const { result } = await ask('Runtime.evaluate', { expression: WASM_BYTES, returnByValue: true, contextId })
      return { heap: usedSize + embedderHeapUsedSize, buffers: backingStorageSize, wasm: Number(result.value) }
    },
    end: () => socket.close(),
  }
}
