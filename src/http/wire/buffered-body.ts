import { Failure } from '../../domain/failure.ts'
import { BODY_PIECE_MIN_BYTES, DRAINED_MAX_BYTES, DRAINED_MAX_MS, MULTIPART_MAX_HEADER_BYTES } from '../../limits.ts'
import { malformed } from './malformed.ts'

/** A body that is read through a window: what has arrived and is not yet skipped, and a way to wait for more. */
export interface Body {
  buffered(): Uint8Array
  skip(bytes: number): void
  /** Waits for more bytes; false at the end of the body. What `buffered` gave before is not valid after it. */
  fill(): Promise<boolean>
  /** Reads past what is left of a body that is refused, within bounds, and gives up the rest. */
  close(): Promise<void>
}

/** Of a sender that has sent nothing yet: a thousand of them may wait. */
const FIRST_WINDOW_BYTES = 4 * 1024
/** Holds the longest part header as a whole. A larger one saves less than a tenth of the time. */
const WINDOW_BYTES = 16 * MULTIPART_MAX_HEADER_BYTES

/**
 * Opens the body of a request, with `before` as if it came first. `fill` throws `body_too_large` past `maxBytes`, and
 * `malformed_request` when the sender breaks off.
 *
 * A read of a stream costs as much as copying 100 KB, so it asks for BODY_PIECE_MIN_BYTES at least; the first ones come as
 * they come, so that what is wrong at the beginning is refused at once.
 */
export function openBody(request: Request, maxBytes: number, before: Uint8Array = new Uint8Array()): Body {
  const reader = request.body?.getReader({ mode: 'byob' })
  let window: Uint8Array = new Uint8Array(FIRST_WINDOW_BYTES)
  window.set(before)
  let start = 0
  let end = before.length
  let room = maxBytes
  let isOver = false
  let ended = reader === undefined

  /** Moves what is not yet skipped to the beginning, of a larger window from the second time on. */
  function makeRoom() {
    const rest = window.subarray(start, end)
    if (window.length < WINDOW_BYTES && end > before.length) window = new Uint8Array(WINDOW_BYTES)
    window.set(rest)
    end -= start
    start = 0
  }

  return {
    buffered: () => window.subarray(start, end),
    skip(bytes) {
      start += bytes
    },
    async fill() {
      if (isOver) throw new Failure('body_too_large', `the body must be at most ${maxBytes} bytes`)
      if (reader === undefined || ended) return false
      makeRoom()
      const isBeginning = maxBytes - room < BODY_PIECE_MIN_BYTES
      // One byte over the limit tells that there are more. What came before it is read first.
      const free = window.subarray(end, Math.min(window.length, end + room + 1))
      const { value, done } = await reader
        .readAtLeast(isBeginning ? 1 : Math.min(BODY_PIECE_MIN_BYTES, free.length), free)
        .catch(() => {
          throw malformed('the body breaks off')
        })
      ended = done
      if (value === undefined) return false
      // The memory of a view goes with the read, and comes back under another name.
      window = new Uint8Array(value.buffer)
      const allowed = Math.min(value.length, room)
      isOver = value.length > room
      end += allowed
      room -= allowed
      return allowed > 0 || isOver
    },
    async close() {
      // A stream that has failed says so again here, where nothing is left to do about it.
      if (reader && !ended) await drain(reader).catch(() => {})
      await reader?.cancel().catch(() => {})
    },
  }
}

/** Most programs read the answer only when all is sent, and take a connection closed before for a failure of the network. */
async function drain(reader: ReadableStreamBYOBReader): Promise<void> {
  const tooLate = new Promise<undefined>((resolve) => {
    setTimeout(() => resolve(undefined), DRAINED_MAX_MS)
  })
  let piece = new Uint8Array(WINDOW_BYTES)
  for (let drained = 0; drained < DRAINED_MAX_BYTES; ) {
    const next = await Promise.race([reader.readAtLeast(BODY_PIECE_MIN_BYTES, piece), tooLate])
    if (next?.value === undefined || next.done) return
    drained += next.value.length
    piece = new Uint8Array(next.value.buffer)
  }
}
