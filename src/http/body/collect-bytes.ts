import { release } from '../../bytes.ts'
import { BODY_ADMISSION } from '../../limits.ts'

/** The collected bytes, and the account of their memory. */
interface Collection {
  maxBytes: number
  /** How many bytes will come at most, as far as that is known: room for all of them is made once. */
  expectedBytes?: number | undefined
  /** Is given each buffer: what is collected of a body that is given up is never taken. */
  own?: (buffer: Uint8Array<ArrayBuffer>) => void
}

/** Of the room that was made, this much may stay unused, rather than that a file is copied: the end of its form. */
const UNUSED_MAX_SHARE = 1 / 16

/**
 * Joins bytes that arrive in pieces, up to `maxBytes`. `add` returns whether all of its piece fitted. Where their number is known
 * they are copied once, to where they stay; else pieces are joined at the end.
 */
export function collectBytes({ maxBytes, expectedBytes = 0, own = () => {} }: Collection) {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let room: Uint8Array<ArrayBuffer> | undefined
  let length = 0

  /** Beyond its beginning a body has been admitted with all its bytes; before that, nothing is set aside for it. */
  function makeRoom(bytes: number) {
    if (room || length + bytes <= BODY_ADMISSION.beginningBytes || length + bytes >= expectedBytes) return
    room = new Uint8Array(Math.min(expectedBytes, maxBytes))
    own(room)
    joinInto(room, pieces.splice(0))
  }

  return {
    add(piece: Uint8Array): boolean {
      const kept = piece.subarray(0, maxBytes - length)
      makeRoom(kept.length)
      if (room && length + kept.length <= room.length) room.set(kept, length)
      else {
        if (room) pieces.push(room.subarray(0, length))
        room = undefined
        const copy = kept.slice()
        own(copy)
        pieces.push(copy)
      }
      length += kept.length
      return kept.length === piece.length
    },
    take(): Uint8Array<ArrayBuffer> {
      if (room && room.length - length <= UNUSED_MAX_SHARE * room.length) return room.subarray(0, length)
      const bytes = new Uint8Array(length)
      own(bytes)
      joinInto(bytes, room ? [room.subarray(0, length)] : pieces)
      return bytes
    },
  }
}

/** Frees the memory of the pieces at once, not at the next garbage collection. */
function joinInto(bytes: Uint8Array, pieces: readonly Uint8Array<ArrayBuffer>[]) {
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
    release(piece)
  }
}
