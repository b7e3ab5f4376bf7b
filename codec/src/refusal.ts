/**
 * Why an image of a known format is refused: it cannot be decoded, it takes more memory or time than the budget, or too many
 * wait before it.
 */
export type RefusalReason = 'unreadable' | 'over_budget' | 'busy'

/** Thrown by all of the package for an image that cannot be used. The message is for the client. */
export class ImageRefusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.name = 'ImageRefusal'
    this.reason = reason
  }
}
