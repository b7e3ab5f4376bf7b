/**
 * The result of every decoder and the sink: `Ok`, or the reason why there is no image, which the host turns into a
 * message. Only decoders that work in steps return `More` and `NeedsInput`.
 */
export const enum Status {
  Ok = 0,
  /** The signature or a structure of the format is missing or contradicts itself. */
  Malformed = 1,
  /** A coding of the format that the service does not take (lossless, 12-bit JPEG ...). */
  Unsupported = 2,
  /** The headers are right but no pixel could be decoded. */
  NoPixels = 3,
  /** Larger than the job's budget allows. */
  OverBudget = 4,
  /** Nothing is wrong and the image is not complete: another step is to follow. */
  More = 5,
  /** Nothing is wrong, and the host must give something before the next step. */
  NeedsInput = 6,
}
