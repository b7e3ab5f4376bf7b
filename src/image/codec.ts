import { createCodec } from 'tintype-codec'
import { IMAGE_TURNS } from '../limits.ts'
import { isolateClock } from '../time.ts'
import { createTurns } from './turns.ts'

/**
 * The isolate's codec: all of its memory for images, 72 MiB of 128 MB. Its own turns are by order of arrival, and never contended: each
 * job has its turn before.
 */
export const codec = createCodec({
  turns: { ...IMAGE_TURNS, maxWaiting: Number.POSITIVE_INFINITY },
  clock: isolateClock,
})

/** The turns of this isolate's codec. */
export const inTurn = createTurns(IMAGE_TURNS, isolateClock)
