/** An invalid setting. The message is one sentence that says what it must be, for the log and for the operator. */
export class UnreadableSetting extends Error {
  override name = 'UnreadableSetting'
}
