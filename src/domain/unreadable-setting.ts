/** A setting that cannot be read. The message is one sentence that says what it must be, fit for the log and for who set it. */
export class UnreadableSetting extends Error {
  override name = 'UnreadableSetting'
}
