// The service that stores files for the Worker, in the process of `npm start`, at a Unix socket that its owner alone can open. Bytes
// pass it by: the Worker writes and reads them through workerd's own service of a folder, and this one makes them a file that lasts.

import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { codeOf, messageOf } from '../../shared/command-line.ts'
import { textsIn } from '../../shared/json.ts'
import type { DiskFiles, StoredFile } from './disk-files.ts'

const SOCKET = 'files.sock'
/** The longest path of a Unix socket on every system. */
const SOCKET_MAX_BYTES = 100
const DELETE_MAX_BYTES = 1024 * 1024
const ABANDONED_MS = 600_000

/** Serves files until it is closed. Returns the path of its socket, which is in the data folder where that can have one. */
export async function serveFiles(files: DiskFiles, data: string) {
  const server = http.createServer((request, response) => void respond(files, request, response))
  // workerd keeps connections, and takes one that was closed for an error.
  server.keepAliveTimeout = 0
  server.requestTimeout = 0
  server.on('clientError', (_, socket) => socket.destroy())
  const own = path.join(data, SOCKET)
  const socket = (await listens(server, own)) ? own : await listenElsewhere(server)
  server.unref()
  const timer = setInterval(() => {
    try {
      files.removeAbandoned()
    } catch {
      // A file that cannot be removed now is removed at the next start.
    }
  }, ABANDONED_MS).unref()
  return {
    socket,
    close() {
      clearInterval(timer)
      server.close()
      server.closeAllConnections()
      rmSync(socket === own ? own : path.dirname(socket), { recursive: true, force: true })
    },
  }
}

async function listens(server: http.Server, socket: string) {
  if (Buffer.byteLength(socket) > SOCKET_MAX_BYTES) return false
  try {
    rmSync(socket, { force: true })
    await listen(server, socket)
    return true
  } catch {
    // Folders of another machine or system, as those that containers share with macOS, have no sockets.
    return false
  }
}

async function listenElsewhere(server: http.Server) {
  const socket = path.join(mkdtempSync(path.join(tmpdir(), 'tintype-')), SOCKET)
  await listen(server, socket)
  return socket
}

function listen(server: http.Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, () => {
      server.off('error', reject)
      chmodSync(socket, 0o600)
      resolve()
    })
  })
}

async function respond(files: DiskFiles, request: http.IncomingMessage, response: http.ServerResponse) {
  try {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://files')
    const result = responseTo(files, `${request.method} ${pathname}`, searchParams, request)
    // Most ask for facts, which are there at once.
    const { status, body } = result instanceof Promise ? await result : result
    const text = body === undefined ? '' : JSON.stringify(body)
    response.writeHead(status, { 'Content-Length': Buffer.byteLength(text) })
    response.end(text)
  } catch (error) {
    request.resume()
    // The Worker knows by the code what to tell its client.
    const text = `${codeOf(error) ?? 'failed'}: ${messageOf(error)}`
    response.writeHead(503, { 'Content-Length': Buffer.byteLength(text) })
    response.end(text)
  }
}

export interface Result {
  status: number
  body?: unknown
}

function responseTo(
  files: DiskFiles,
  operation: string,
  wanted: URLSearchParams,
  request: http.IncomingMessage,
): Result | Promise<Result> {
  const key = wanted.get('key') ?? ''
  switch (operation) {
    case 'GET /facts': {
      const found = files.facts(key)
      return found instanceof Promise ? found.then(factsResult) : factsResult(found)
    }
    case 'POST /create':
      return create(files, key, wanted, request)
    case 'POST /delete':
      return deleteAll(files, request)
    case 'GET /list': {
      const [prefix, after] = [wanted.get('prefix') ?? '', wanted.get('after') ?? '']
      return files.list({ prefix, after, limit: Number(wanted.get('limit')) }).then((body) => ({ status: 200, body }))
    }
    default:
      return { status: 404 }
  }
}

function factsResult(found: StoredFile | undefined) {
  return found ? { status: 200, body: found } : { status: 404 }
}

async function create(files: DiskFiles, key: string, wanted: URLSearchParams, request: http.IncomingMessage) {
  const expected = {
    size: Number(wanted.get('size')),
    md5: wanted.get('md5') ?? '',
    crc32: Number(wanted.get('crc32')),
  }
  const handed = wanted.get('handed')
  const isCreated =
    handed === null
      ? await files.create(key, randomUUID(), expected, request)
      : await files.create(key, handed, expected)
  return { status: isCreated ? 201 : 409 }
}

async function deleteAll(files: DiskFiles, request: http.IncomingMessage) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk
    if (text.length > DELETE_MAX_BYTES) return { status: 413 }
  }
  const keys: unknown = JSON.parse(text)
  await files.delete(textsIn(keys))
  return { status: 204 }
}
