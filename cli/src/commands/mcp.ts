import { once } from 'node:events'
import { MCP_MESSAGE_MAX_BYTES } from '../limits.ts'
import { linesOf } from '../mcp/lines.ts'
import {
  createConnection,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  metaOf,
  PARSE_ERROR,
  ProtocolError,
  type Run,
} from '../mcp/protocol.ts'
import { createTools } from '../mcp/tools.ts'
import { Stopped } from '../problems.ts'
import { isObject } from '../requests/responses.ts'
import type { ExitCode, Session } from '../session.ts'
import type { McpInvocation } from '../terminal/arguments.ts'

type Id = string | number
type Message = Readonly<Record<string, unknown>>

/**
 * Serves the Model Context Protocol on the standard streams, one JSON-RPC message a line. Requests run concurrently. At the end of
 * the input those that run are finished, and then it ends.
 */
export async function mcp(invocation: McpInvocation, session: Session): Promise<ExitCode> {
  const connection = createConnection(await createTools(invocation, session))
  const running = new Map<Id, AbortController>()
  const pending = new Set<Promise<void>>()

  const write = async (message: object | readonly object[]) => {
    if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await once(process.stdout, 'drain')
  }

  /** Returns the response to a request; undefined for a notification, and for a request that was cancelled. */
  const respond = async (message: unknown): Promise<object | undefined> => {
    if (!isObject(message) || message.jsonrpc !== '2.0')
      return failure(null, new ProtocolError(INVALID_REQUEST, 'Invalid Request'))
    const { id, method } = message
    // A response: this server sends no requests.
    if (method === undefined && ('result' in message || 'error' in message)) return undefined
    if (typeof method !== 'string')
      return failure(isId(id) ? id : null, new ProtocolError(INVALID_REQUEST, 'Invalid Request'))
    const params = isObject(message.params) ? message.params : {}
    if (id === undefined) {
      if (method === 'notifications/cancelled' && isId(params.requestId)) running.get(params.requestId)?.abort()
      return undefined
    }
    if (!isId(id)) return failure(null, new ProtocolError(INVALID_REQUEST, 'id must be a string or a number'))
    return respondTo(id, method, params)
  }

  const respondTo = async (id: Id, method: string, params: Message) => {
    if (running.has(id)) return failure(id, new ProtocolError(INVALID_REQUEST, 'a request with this id is running'))
    const controller = new AbortController()
    running.set(id, controller)
    const { progressToken } = metaOf(params)
    const run: Run = {
      signal: AbortSignal.any([controller.signal, session.signal]),
      progress: (progress, total) => {
        if (!isId(progressToken) || controller.signal.aborted) return
        void write({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress, total } })
      },
    }
    try {
      const result = await connection.handle(method, params, run)
      return controller.signal.aborted ? undefined : { jsonrpc: '2.0', id, result }
    } catch (error) {
      return controller.signal.aborted || error instanceof Stopped ? undefined : failure(id, error)
    } finally {
      running.delete(id)
    }
  }

  const receive = async (line: string) => {
    const message = parse(line)
    if (message === undefined) return write(failure(null, new ProtocolError(PARSE_ERROR, 'Parse error')))
    if (!Array.isArray(message)) {
      const response = await respond(message)
      return response && write(response)
    }
    // Batches are part of version 2025-03-26.
    const responses = (await Promise.all(message.map(respond))).filter((response) => response !== undefined)
    if (message.length === 0) await write(failure(null, new ProtocolError(INVALID_REQUEST, 'Invalid Request')))
    else if (responses.length > 0) await write(responses)
  }

  session.signal.addEventListener('abort', () => process.stdin.destroy())
  try {
    for await (const line of linesOf(process.stdin, MCP_MESSAGE_MAX_BYTES)) {
      if (line === undefined) {
        const sentence = `a message must be at most ${MCP_MESSAGE_MAX_BYTES} bytes`
        await write(failure(null, new ProtocolError(INVALID_REQUEST, sentence)))
      } else if (line.trim() !== '') {
        const work: Promise<void> = receive(line).finally(() => pending.delete(work))
        pending.add(work)
      }
    }
  } catch (error) {
    if (!session.signal.aborted) throw error
  }
  await Promise.all(pending)
  return 0
}

function isId(value: unknown): value is Id {
  return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
}

/** The value of a line; undefined if it is no JSON. */
function parse(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    return value
  } catch {
    return undefined
  }
}

function failure(id: Id | null, error: unknown): object {
  const known = error instanceof ProtocolError ? error : new ProtocolError(INTERNAL_ERROR, 'Internal error')
  if (known !== error) console.error(error)
  const { code, message, data } = known
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } }
}
