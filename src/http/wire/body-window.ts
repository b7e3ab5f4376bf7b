import { Failure } from '../../domain/failure.ts'
import { DRAINED_MAX_BYTES, DRAINED_MAX_MS, MULTIPART_MAX_HEADER_BYTES } from '../../limits.ts'
import { malformed } from './malformed.ts'

/** A body that is read through a window: what has arrived and is not yet skipped, and a way to wait for more. */
export interface Body {
  atHand(): Uint8Array
  skip(bytes: number): void
  /** Waits for more bytes; false at the end of the body. What `atHand` gave before is not valid after it. */
  fill(): Promise<boolean>
  /** Reads past what is left of a body that is refused, within bounds, and gives up the rest. */
  close(): Promise<void>
}

// Larger than the longest part header, which has to fit as a whole.
const WINDOW_BYTES = 4 * MULTIPART_MAX_HEADER_BYTES

/**
 * Opens the body of a request, with `before` as if it came first. `fill` throws `body_too_large` past `maxBytes`, and
 * `malformed_request` when the sender breaks off.
 */
export function openBody(request: Request, maxBytes: number, before: Uint8Array = new Uint8Array()): Body {
  const reader = request.body?.getReader()
  const window = new Uint8Array(WINDOW_BYTES)
  window.set(before)
  let start = 0
  let end = before.length
  let room = maxBytes
  let chunk = new Uint8Array()
  let ended = reader === undefined

  return {
    atHand: () => window.subarray(start, end),
    skip(bytes) {
      start += bytes
    },
    async fill() {
      while (chunk.length === 0) {
        const next = await reader?.read().catch(() => {
          throw malformed('the body breaks off')
        })
        if (next === undefined || next.done) {
          ended = true
          return false
        }
        chunk = next.value
      }
      // Only now, so that the answer does not depend on how the body was cut into chunks.
      if (room === 0) throw new Failure('body_too_large', `the body must be at most ${maxBytes} bytes`)
      if (end === window.length) {
        window.copyWithin(0, start, end)
        end -= start
        start = 0
      }
      const piece = chunk.subarray(0, Math.min(window.length - end, room))
      window.set(piece, end)
      end += piece.length
      room -= piece.length
      chunk = chunk.subarray(piece.length)
      return true
    },
    async close() {
      // A stream that has failed says so again here, where nothing is left to do about it.
      if (!ended) await drain(reader).catch(() => {})
      await reader?.cancel().catch(() => {})
    },
  }
}

/** Most programs read the answer only when all is sent, and take a connection closed before for a failure of the network. */
async function drain(reader: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  const tooLate = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), DRAINED_MAX_MS)
  })
  for (let drained = 0; drained < DRAINED_MAX_BYTES; ) {
    const next = await Promise.race([reader?.read(), tooLate])
    if (next === undefined || next.done) return
    drained += next.value.length
  }
}
