import { createCodec } from '../../codec/src/workers.ts'
import { PICTURE_TURNS } from '../limits.ts'
import { isolateClock } from '../time.ts'

/** The isolate's codec: all of its memory for pictures, 72 MiB of 128 MB. */
export const codec = createCodec({ turns: PICTURE_TURNS, clock: isolateClock })
