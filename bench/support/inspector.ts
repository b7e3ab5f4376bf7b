// Reads the memory use of an isolate through workerd's inspector (the Chrome DevTools Protocol, "Runtime").
import { z } from 'zod'

/** Parts of it in bytes: the heap of JavaScript, array buffers, and WebAssembly's memory if bench/support/measured-worker.ts counts it. */
export interface IsolateMemory {
  heap: number
  buffers: number
  wasm: number
}

/** The isolate of tools/serve/serve.ts that holds uploads. */
export const ISOLATES = { worker: 'core:user:tintype' }

const WASM_BYTES = 'globalThis.instancesInMemory?.().bytes ?? 0'

/** A message of the protocol: a reply to a command, or an event. */
const MESSAGE = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})
const CONTEXT_CREATED = z.object({ context: z.object({ id: z.number() }) })
const HEAP_USAGE = z.object({
  usedSize: z.number(),
  embedderHeapUsedSize: z.number(),
  backingStorageSize: z.number(),
})
const EVALUATION = z.object({ result: z.object({ value: z.number() }) })

type Message = z.infer<typeof MESSAGE>

/** Connects to an isolate. Returns a function that reads its memory, and one that disconnects. */
export async function inspect(port: number, isolate: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/${isolate}`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`the inspector of ${isolate} does not respond`)))
  })
  const sent = new Map<number, (reply: Message) => void>()
  let contextId: number | undefined
  let lastId = 0
  socket.addEventListener('message', ({ data }) => {
    const message = MESSAGE.parse(JSON.parse(String(data)))
    if (message.method === 'Runtime.executionContextCreated') {
      contextId = CONTEXT_CREATED.parse(message.params).context.id
    }
    if (message.id === undefined) return
    sent.get(message.id)?.(message)
    sent.delete(message.id)
  })
  const send = async (method: string, params: object = {}) => {
    const id = ++lastId
    const reply = new Promise<Message>((resolve) => sent.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params }))
    const { result, error } = await reply
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  // There is no default context: this command sends an event with the id of the only one.
  await send('Runtime.enable')

  return {
    async memory(): Promise<IsolateMemory> {
      const { usedSize, embedderHeapUsedSize, backingStorageSize } = HEAP_USAGE.parse(
        await send('Runtime.getHeapUsage'),
      )
      const evaluated = await send('Runtime.evaluate', { expression: WASM_BYTES, returnByValue: true, contextId })
      const { result } = EVALUATION.parse(evaluated)
      return { heap: usedSize + embedderHeapUsedSize, buffers: backingStorageSize, wasm: result.value }
    },
    end: () => socket.close(),
  }
}
