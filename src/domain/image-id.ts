import { HOUR_MS, SECOND_MS } from '../units.ts'

/**
 * The numeric `<id>` of a picture: the millisecond in which its request arrived, then 12 cryptographically random bits. Ids
 * are ordered by time, stay below 2^53 until the year 2095, and need no coordination; storage still checks each for collision.
 */

const EPOCH_MS = Date.UTC(2026, 0, 1)
const IDS_PER_MS = 4096

/** Gives the next id. The ids of one source only grow, also within a millisecond or when the clock steps back a little. */
export type ImageIdSource = (nowMs: number) => number

/** A source for one isolate. In each millisecond, the sources of different isolates start at random places, from 0 to 4095. */
export function createImageIdSource(placeInMs: () => number = randomPlace): ImageIdSource {
  let previous = { nowMs: 0, id: 0 }
  return (nowMs) => {
    const fresh = idAt(nowMs) + placeInMs()
    // If the clock steps back by more than a second, it was set: the right time matters more than the order.
    const clockWasSet = nowMs < previous.nowMs - SECOND_MS
    const id = clockWasSet ? fresh : Math.max(fresh, previous.id + 1)
    previous = { nowMs, id }
    return id
  }
}

/** Even: 4096 divides the number of values of 16 bits. */
function randomPlace(): number {
  const [bits = 0] = crypto.getRandomValues(new Uint16Array(1))
  return bits % IDS_PER_MS
}

function idAt(nowMs: number): number {
  return Math.max(nowMs - EPOCH_MS, 0) * IDS_PER_MS
}

/** When the request that uploaded this picture arrived, in milliseconds since 1970. */
export function arrivalTimeMs(id: number): number {
  return Math.floor(id / IDS_PER_MS) + EPOCH_MS
}

/** The `<dir>` of a picture: the hour of its arrival, counted from 2026. */
export function directoryOf(id: number): number {
  return Math.floor(id / (IDS_PER_MS * HOUR_MS))
}
