import manifest from '../../package.json' with { type: 'json' }
import { isObject } from '../requests/responses.ts'

/** A JSON-RPC error (specification, 5.1). */
export class ProtocolError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** A version that the server does not support (MCP 2026-07-28, "Protocol Version Negotiation"). */
const UNSUPPORTED_VERSION = -32022

/** The version in which each request names its version. */
const STATELESS_VERSION = '2026-07-28'
/** Versions that begin with `initialize`, the newest first. */
const SESSION_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

const SERVER_INFO = { name: 'tintype-cli', title: 'Tintype', version: manifest.version }
const CAPABILITIES = { tools: {} }
/** Clients may keep the list of tools for an hour. It changes with the version of the program alone. */
const CACHEABLE = { ttlMs: 3_600_000, cacheScope: 'public' }

type Params = Readonly<Record<string, unknown>>

/** The tools of a server. */
export interface Tools {
  instructions: string
  list: readonly object[]
  /** Throws `ProtocolError` if there is no such tool. Reports other failures in its result. */
  call: (name: string, args: Params, run: Run) => Promise<object>
}

/** The surroundings of a running tool. */
export interface Run {
  /** Aborted when the client cancels the request. */
  signal: AbortSignal
  /** Tells the client how much is done, if it asked. */
  progress: (done: number, total: number) => void
}

/** A connection: it serves both kinds of versions, as clients ask. */
export interface Connection {
  /** Returns the result of a request. Throws `ProtocolError`. */
  handle: (method: string, params: Params, run: Run) => Promise<object>
}

/** Creates the server's side of a connection. */
export function createConnection(tools: Tools): Connection {
  let isInitialized = false

  const listOrCall = async (method: string, params: Params, run: Run): Promise<object | undefined> => {
    if (method === 'tools/list') return { tools: tools.list }
    if (method !== 'tools/call') return undefined
    if (typeof params.name !== 'string') throw new ProtocolError(INVALID_PARAMS, 'name must be the name of a tool')
    const args = params.arguments ?? {}
    if (!isObject(args)) throw new ProtocolError(INVALID_PARAMS, 'arguments must be an object')
    return tools.call(params.name, args, run)
  }

  /** Versions from 2026-07-28 on: without a session. */
  const handleStateless = async (method: string, params: Params, run: Run): Promise<object> => {
    const meta = metaOf(params)
    const version = meta[VERSION_KEY]
    if (version !== STATELESS_VERSION) {
      throw new ProtocolError(UNSUPPORTED_VERSION, 'Unsupported protocol version', {
        supported: [STATELESS_VERSION, ...SESSION_VERSIONS],
        requested: version,
      })
    }
    if (!isObject(meta[CAPABILITIES_KEY])) {
      throw new ProtocolError(INVALID_PARAMS, `_meta must have ${CAPABILITIES_KEY}`)
    }
    const complete = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO } }
    if (method === 'server/discover') {
      const supportedVersions = [STATELESS_VERSION, ...SESSION_VERSIONS]
      return {
        ...complete,
        supportedVersions,
        capabilities: CAPABILITIES,
        instructions: tools.instructions,
        ...CACHEABLE,
      }
    }
    const result = await listOrCall(method, params, run)
    if (result === undefined) throw notFound(method)
    return { ...complete, ...result, ...(method === 'tools/list' && CACHEABLE) }
  }

  const handleInSession = async (method: string, params: Params, run: Run): Promise<object> => {
    if (method === 'initialize') {
      if (typeof params.protocolVersion !== 'string') {
        throw new ProtocolError(INVALID_PARAMS, 'protocolVersion must be a version such as 2025-11-25')
      }
      isInitialized = true
      // A client that does not support the version in the response ends the connection.
      const protocolVersion =
        SESSION_VERSIONS.find((version) => version === params.protocolVersion) ?? SESSION_VERSIONS[0]
      return { protocolVersion, capabilities: CAPABILITIES, serverInfo: SERVER_INFO, instructions: tools.instructions }
    }
    if (method === 'ping') return {}
    if (method === 'server/discover') throw new ProtocolError(INVALID_PARAMS, `_meta must have ${VERSION_KEY}`)
    if (!isInitialized) throw new ProtocolError(INVALID_REQUEST, `send initialize first, or ${VERSION_KEY} in _meta`)
    const result = await listOrCall(method, params, run)
    if (result === undefined) throw notFound(method)
    return result
  }

  return {
    handle: (method, params, run) =>
      VERSION_KEY in metaOf(params) ? handleStateless(method, params, run) : handleInSession(method, params, run),
  }
}

/** Returns the metadata of a request or notification. */
export function metaOf(params: Params): Params {
  const { _meta: meta } = params
  return isObject(meta) ? meta : {}
}

function notFound(method: string): ProtocolError {
  return new ProtocolError(METHOD_NOT_FOUND, `Method not found: ${method}`)
}
