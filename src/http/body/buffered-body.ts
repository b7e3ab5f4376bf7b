import { release } from '../../bytes.ts'
import { Failure } from '../../domain/failure.ts'
import {
  BODY_ADMISSION,
  BODY_CHUNK_MIN_BYTES,
  BODY_WINDOW_BYTES,
  DRAIN_CHUNK_BYTES,
  DRAINED_IDLE_MS,
  DRAINED_MAX_BYTES,
  DRAINED_MAX_MS,
  MULTIPART_MAX_BYTES,
  UNKNOWN_BODY_BYTES,
} from '../../limits.ts'
import { toPresent, within } from '../../time.ts'
import type { BodyMemory } from './admission.ts'
import { malformed } from './malformed.ts'
import { createRateGuard } from './minimum-rate.ts'

/** A request with the memory that its body may take. */
export interface Incoming {
  request: Request
  memory: BodyMemory
}

/** A request body behind a buffer: the bytes that arrived and are not skipped yet, and a way to wait for more. */
export interface Body {
  buffered(): Uint8Array
  skip(bytes: number): void
  /** Number of bytes that are buffered or still to come, by Content-Length; undefined without that header. */
  restBytes(): number | undefined
  /** Waits for more bytes; returns false at the end of the body. Invalidates earlier results of `buffered`. */
  fill(): Promise<boolean>
  /** Discards the rest of a body that is refused: reads it within bounds, then cancels it. */
  close(): Promise<void>
}

/** The buffer until a client has sent anything: a thousand clients may be idle. */
const FIRST_WINDOW_BYTES = BODY_ADMISSION.beginningBytes
/** Room for the bytes put before a body, and for the byte that shows that its limit is exceeded. */
const BESIDE_BYTES = 16

/**
 * Returns the maximum memory of a body and its buffers, by its Content-Length. A body of unknown length is expected to
 * be a short form, and the longest one when it exceeds that.
 */
export function expectedBytes(request: Request): { expectedBytes: number; outgrownBytes?: number } {
  if (!request.body) return { expectedBytes: 0 }
  const mostBytes = lengthOf(request) + 2 * windowBytesOf(request)
  return saysLength(request)
    ? { expectedBytes: mostBytes }
    : { expectedBytes: UNKNOWN_BODY_BYTES, outgrownBytes: mostBytes }
}

/**
 * Opens the body of a request, as if it began with `before`. `fill` throws `body_too_large` past `maxBytes`,
 * `malformed_request` if the connection breaks, `body_too_slow`, and `overloaded` if there is no room for the body.
 *
 * A read of a stream costs as much as copying 100 KB, so each asks for BODY_CHUNK_MIN_BYTES at least. Only the
 * first bytes are taken as they arrive, so that an error at the beginning is refused at once.
 */
export function openBody({ request, memory }: Incoming, maxBytes: number, before: Uint8Array = new Uint8Array()): Body {
  const atMinimumRate = createRateGuard(memory)
  const reader = request.body?.getReader({ mode: 'byob' })
  const windowBytes = windowBytesOf(request)
  /** A body of unknown length gets a short buffer first. */
  let nextWindowBytes = saysLength(request) ? windowBytes : Math.min(windowBytes, BODY_CHUNK_MIN_BYTES)
  let windowBytesTaken = 0
  let window: Uint8Array = new Uint8Array(FIRST_WINDOW_BYTES)
  window.set(before)
  let start = 0
  let end = before.length
  let room = maxBytes
  let isOver = false
  let ended = reader === undefined

  /** Moves the buffered bytes to the beginning, from the second time on of a larger buffer. */
  async function makeRoom() {
    const rest = window.subarray(start, end)
    if (window.length < windowBytes && end > before.length) {
      await memory.take(nextWindowBytes)
      memory.give(windowBytesTaken)
      const larger = new Uint8Array(nextWindowBytes)
      larger.set(rest)
      release(window)
      window = larger
      windowBytesTaken = nextWindowBytes
      nextWindowBytes = Math.min(4 * nextWindowBytes, windowBytes)
    } else window.set(rest)
    end -= start
    start = 0
  }

  return {
    buffered: () => window.subarray(start, end),
    skip(bytes) {
      start += bytes
    },
    restBytes: () =>
      saysLength(request) ? Math.max(0, lengthOf(request) - (maxBytes - room)) + end - start : undefined,
    async fill() {
      if (isOver) throw bodyTooLarge(maxBytes)
      if (reader === undefined || ended) return false
      await makeRoom()
      const isBeginning = maxBytes - room < BODY_CHUNK_MIN_BYTES
      // One byte more than allowed shows that the limit is exceeded. The allowed bytes are handed out first.
      const free = window.subarray(end, Math.min(window.length, end + room + 1))
      const least = isBeginning ? 1 : Math.min(BODY_CHUNK_MIN_BYTES, free.length)
      const asked = free.length
      await memory.take(asked)
      const arriving = reader.readAtLeast(least, free).catch(() => {
        memory.stall()
        throw malformed('the body is incomplete: the connection was closed')
      })
      const { value, done } = await atMinimumRate(arriving)
      memory.give(asked - (value?.length ?? 0))
      ended = done
      if (value === undefined) return false
      // A read transfers the memory of its view: it comes back as another buffer.
      window = new Uint8Array(value.buffer)
      const allowed = Math.min(value.length, room)
      isOver = value.length > room
      end += allowed
      room -= allowed
      return allowed > 0 || isOver
    },
    async close() {
      if (reader && !ended) {
        // The result is not needed any more: others need not wait for it.
        memory.close()
        await drain(reader)
      } else await reader?.cancel().catch(() => {})
      release(window)
      memory.give(windowBytesTaken)
      memory.settle()
    },
  }
}

/** Discards the body of a request that got a response without reading it: reads it within limits, then cancels it. */
export async function discardUnread({ body }: Request): Promise<void> {
  if (body !== null && !body.locked) await drain(body.getReader({ mode: 'byob' }))
}

function saysLength({ headers }: Request): boolean {
  return headers.has('Content-Length')
}

/** Returns the Content-Length, or the maximum without one. */
function lengthOf({ headers }: Request): number {
  const length = Number(headers.get('Content-Length') ?? MULTIPART_MAX_BYTES)
  return Number.isNaN(length) ? MULTIPART_MAX_BYTES : Math.min(length, MULTIPART_MAX_BYTES)
}

function windowBytesOf(request: Request): number {
  return Math.max(FIRST_WINDOW_BYTES, Math.min(lengthOf(request) + BESIDE_BYTES, BODY_WINDOW_BYTES))
}

/**
 * Most programs read the response only after sending everything, and treat a connection closed earlier as a network
 * error.
 */
async function drain(reader: ReadableStreamBYOBReader): Promise<void> {
  await toPresent()
  const endsAtMs = Date.now() + DRAINED_MAX_MS
  let chunk = new Uint8Array(DRAIN_CHUNK_BYTES)
  let drainedBytes = 0
  try {
    while (drainedBytes < DRAINED_MAX_BYTES && Date.now() < endsAtMs) {
      const next = await within(DRAINED_IDLE_MS, reader.readAtLeast(BODY_CHUNK_MIN_BYTES, chunk))
      if (next?.value === undefined || next.done) break
      drainedBytes += next.value.length
      chunk = new Uint8Array(next.value.buffer)
    }
  } catch {
    // The connection broke, which the reader of the body has already reported.
  }
  await reader.cancel().catch(() => {})
  release(chunk)
}

/** The failure for a body of more than `maxBytes`. */
export function bodyTooLarge(maxBytes: number): Failure {
  return new Failure('body_too_large', `the body must be at most ${maxBytes} bytes`)
}
