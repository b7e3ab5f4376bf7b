/** Why a picture of a known format is refused: it cannot be decoded, or it takes more memory or time than the budget. */
export type RefusalReason = 'unreadable' | 'over_budget'

/** Thrown by everything in this folder for a picture that cannot be used. The message is for the client. */
export class ImageRefusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.name = 'ImageRefusal'
    this.reason = reason
  }
}
