import { Failure } from '../../domain/failure.ts'
import { malformed } from './malformed.ts'

/** Reads the whole body of a request. Throws `body_too_large` as soon as it exceeds the limit, and `malformed_request`. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('Content-Length')) > maxBytes) throw tooLarge(maxBytes)
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunksOf(request)) {
    length += chunk.byteLength
    if (length > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  const body = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.byteLength
  }
  return body
}

/** The chunks of a body as they arrive. Throws `malformed_request` if the connection breaks. */
async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* request.body ?? []
  } catch (error) {
    throw error instanceof Failure ? error : malformed('the body is incomplete: the connection was closed')
  }
}

function tooLarge(maxBytes: number): Failure {
  return new Failure('body_too_large', `the body must be at most ${maxBytes} bytes`)
}
