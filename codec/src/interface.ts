// Exports of the package that do not need the WebAssembly module.

export type { Box } from './arguments.ts'
export type { CodecClock } from './clock.ts'
export type { Cancellation, Codec, CodecOptions, LosslessOptions, Source, WebpOptions } from './codec.ts'
export { isFaithfulAsWebp } from './colours/faithful.ts'
export {
  FORMATS,
  type Format,
  type ImageFacts,
  type MediaType,
  type Orientation,
  type Size,
  uprightSize,
} from './format.ts'
export type { ImageFile, MadeFile } from './image-file.ts'
export { IMAGE_MAX_PIXELS, JPEG_MAX_SCANS } from './limits.ts'
export { findLocation, type LocationPresence } from './location.ts'
export type { Raster } from './pixels/raster.ts'
export { type AnyFacts, probe } from './probe.ts'
export { asSent, type ProbedImage, type SizedImage } from './probed-image.ts'
export { ImageRefusal, type RefusalReason } from './refusal.ts'
export { stripMetadata, trimImageData } from './strip.ts'
export type { TurnRule, TurnState } from './turns.ts'
