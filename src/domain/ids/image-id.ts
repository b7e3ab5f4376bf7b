import { SHARDS_MAX } from '../../limits.ts'
import { HOUR_MS, SECOND_MS } from '../../units.ts'

/**
 * The numeric `<id>` of an image: the millisecond of its request's arrival, 7 random bits, and 5 more bits.
 *
 * On shard 0 these are random too. On another shard they are its number, and 2^52 is added. Ids of shard 0 stay below
 * 2^52 until November 2060, including those from before there were shards. Ids of one shard are ordered by time and
 * need no coordination; storage checks each for collision. Until 2060 all are below 2^53.
 */

const EPOCH_MS = Date.UTC(2026, 0, 1)
const SEQUENCE_NUMBERS_PER_MS = 128
const IDS_PER_MS = SEQUENCE_NUMBERS_PER_MS * SHARDS_MAX
const OTHER_SHARDS_FROM = 2 ** 52

/**
 * Returns the next sequence number, the base of an id. The numbers of one sequence only grow, also within a millisecond
 * or when the clock steps back a little.
 */
export type Sequence = (nowMs: number) => number

/** Returns the sequence of one isolate. Isolates start each millisecond at random numbers from 0 to 127. */
export function createSequence(startInMs: () => number = () => randomBelow(SEQUENCE_NUMBERS_PER_MS)): Sequence {
  let previous = { nowMs: 0, number: 0 }
  return (nowMs) => {
    const fresh = Math.max(nowMs - EPOCH_MS, 0) * SEQUENCE_NUMBERS_PER_MS + startInMs()
    // If the clock steps back by more than a second, it was set: the right time matters more than the order.
    const clockWasSet = nowMs < previous.nowMs - SECOND_MS
    const number = clockWasSet ? fresh : Math.max(fresh, previous.number + 1)
    previous = { nowMs, number }
    return number
  }
}

/** Returns the id of the image with this sequence number, on a shard. */
export function imageIdAt(sequenceNumber: number, shard: number): number {
  const id = sequenceNumber * SHARDS_MAX
  return shard === 0 ? id + randomBelow(SHARDS_MAX) : OTHER_SHARDS_FROM + id + shard
}

/** The number of the shard that an image is on. */
export function shardOfImage(id: number): number {
  return id < OTHER_SHARDS_FROM ? 0 : id % SHARDS_MAX
}

/** When the request that uploaded this image arrived, in milliseconds since 1970. */
export function arrivalTimeMs(id: number): number {
  return Math.floor((id % OTHER_SHARDS_FROM) / IDS_PER_MS) + EPOCH_MS
}

/**
 * Returns the `<dir>` of an image: on shard 0 the hour of its arrival, counted from 2026. Every other shard has a directory of
 * its own for each hour. Directories of different shards differ, and each has its images in order.
 */
export function directoryOf(id: number): number {
  const hour = Math.floor(id / (IDS_PER_MS * HOUR_MS))
  const shard = shardOfImage(id)
  return shard === 0 ? hour : hour * SHARDS_MAX + shard
}

/** Even: a power of two up to 2^16 divides the number of values of 16 bits. */
function randomBelow(count: number): number {
  const [bits = 0] = crypto.getRandomValues(new Uint16Array(1))
  return bits % count
}
