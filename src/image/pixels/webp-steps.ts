import { Status } from '../../codec/status.ts'
import { type Core, put, requireOk } from './core.ts'
import type { WebpFrame } from './webp-file.ts'

/** Decodes a frame of a WebP step by step into what the core was told to make. Throws ImageRefusal. */
export async function* webpSteps(core: Core, { coding, bitstream, alpha }: WebpFrame): AsyncGenerator<void, void> {
  if (coding === 'VP8L') yield* losslessSteps(core, bitstream)
  else if (alpha) yield* lossySteps(core, bitstream, alpha)
  else yield* opaqueSteps(core, bitstream)
}

function* opaqueSteps(core: Core, frame: Uint8Array): Generator<void> {
  requireOk(core.openVp8(put(core, frame), frame.length))
  for (let status = Status.More; status === Status.More; ) {
    status = core.stepVp8()
    requireOk(status)
    yield
  }
}

function* lossySteps(core: Core, frame: Uint8Array, alpha: Uint8Array): Generator<void> {
  requireOk(core.openWebpAlpha(put(core, frame), frame.length, put(core, alpha), alpha.length))
  while (core.moreWebpAlphaRows()) {
    requireOk(core.decodeWebpAlphaRow())
    yield
  }
  requireOk(core.finish())
  yield
}

function* losslessSteps(core: Core, data: Uint8Array): Generator<void> {
  requireOk(core.openVp8l(put(core, data), data.length))
  while (core.moreVp8lRows()) {
    requireOk(core.decodeVp8lRow())
    yield
  }
  requireOk(core.finish())
  yield
}
