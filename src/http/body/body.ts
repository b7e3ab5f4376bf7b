import { bodyTooLarge, type Incoming, openBody } from './buffered-body.ts'
import { collectBytes } from './collect-bytes.ts'

/**
 * The whole body of a request. Throws as `openBody` does: `body_too_large` at once where its Content-Length exceeds the limit, or
 * else as soon as it does.
 */
export async function readBody(incoming: Incoming, maxBytes: number): Promise<Uint8Array> {
  if (Number(incoming.request.headers.get('Content-Length')) > maxBytes) throw bodyTooLarge(maxBytes)
  const body = openBody(incoming, maxBytes)
  const collected = collectBytes({ maxBytes, expectedBytes: body.restBytes() })
  try {
    while (await body.fill()) {
      collected.add(body.buffered())
      body.skip(body.buffered().length)
    }
    return collected.take()
  } finally {
    await body.close()
  }
}
