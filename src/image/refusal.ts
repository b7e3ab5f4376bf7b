/** Why a picture of a known format is refused: its bytes cannot be read, or its header asks for more than the budget. */
export type RefusalReason = 'unreadable' | 'over_budget'

/** Thrown by everything in this room for a picture that cannot be used; the message is a sentence for the caller. */
export class ImageRefusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.name = 'ImageRefusal'
    this.reason = reason
  }
}
