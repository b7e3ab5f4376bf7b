import { release } from '../../bytes.ts'
import { BODY_ADMISSION } from '../../limits.ts'

/** The collected bytes, and the account of their memory. */
interface Collection {
  maxBytes: number
  /** The maximum number of bytes, as far as it is known: room for all of them is made once. */
  expectedBytes?: number | undefined
  /** Is given each buffer: what is collected of a body that is given up is never taken. */
  own?: (buffer: Uint8Array<ArrayBuffer>) => void
}

/** Of the room that was made, this much may stay unused, rather than that a file is copied: the end of its form. */
const UNUSED_MAX_SHARE = 1 / 16

/**
 * Joins bytes that arrive in chunks, up to `maxBytes`. `add` returns whether all of its chunk fitted. Where their number is known
 * they are copied once, to where they stay; else chunks are joined at the end.
 */
export function collectBytes({ maxBytes, expectedBytes = 0, own = () => {} }: Collection) {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let room: Uint8Array<ArrayBuffer> | undefined
  let length = 0

  /** Beyond its beginning a body has been admitted with all its bytes; before that, nothing is set aside for it. */
  function makeRoom(bytes: number) {
    if (room || length + bytes <= BODY_ADMISSION.beginningBytes || length + bytes >= expectedBytes) return
    room = new Uint8Array(Math.min(expectedBytes, maxBytes))
    own(room)
    joinInto(room, chunks.splice(0))
  }

  return {
    add(chunk: Uint8Array): boolean {
      const fitting = chunk.subarray(0, maxBytes - length)
      makeRoom(fitting.length)
      if (room && length + fitting.length <= room.length) room.set(fitting, length)
      else {
        if (room) chunks.push(room.subarray(0, length))
        room = undefined
        const copy = fitting.slice()
        own(copy)
        chunks.push(copy)
      }
      length += fitting.length
      return fitting.length === chunk.length
    },
    take(): Uint8Array<ArrayBuffer> {
      if (room && room.length - length <= UNUSED_MAX_SHARE * room.length) return room.subarray(0, length)
      const bytes = new Uint8Array(length)
      own(bytes)
      joinInto(bytes, room ? [room.subarray(0, length)] : chunks)
      return bytes
    },
  }
}

/** Frees the memory of the chunks at once, not at the next garbage collection. */
function joinInto(bytes: Uint8Array, chunks: readonly Uint8Array<ArrayBuffer>[]) {
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
    release(chunk)
  }
}
