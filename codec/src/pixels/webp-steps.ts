import { type Core, put, requireOk, stepUntilDone } from './core.ts'
import type { WebpFrame } from './webp-file.ts'

/** Decodes a frame of a WebP step by step into what the core was told to make. Throws ImageRefusal. */
export async function* webpSteps(core: Core, { coding, bitstream, alpha }: WebpFrame): AsyncGenerator<void, void> {
  const data = put(core, bitstream)
  if (coding === 'VP8L') {
    requireOk(core.openVp8l(data, bitstream.length))
    yield* stepUntilDone(() => core.stepVp8l())
  } else if (alpha) {
    requireOk(core.openWebpAlpha(data, bitstream.length, put(core, alpha), alpha.length))
    yield* stepUntilDone(() => core.stepWebpAlpha())
  } else {
    requireOk(core.openVp8(data, bitstream.length))
    yield* stepUntilDone(() => core.stepVp8())
  }
}
