import { createCodec } from '../src/workers.ts'

/** A codec with all of its memory, as the package makes it for its users. */
export const codec = createCodec()
