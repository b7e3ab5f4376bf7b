/** A command that cannot be parsed. The message is one sentence that says what to change. Exit code 2. */
export class UsageError extends Error {}

/**
 * A failed request, with one sentence that never contains a token. Exit code 1. `status` is that of the response, if
 * there was one, and `code` the stable code of the error.
 */
export class RequestFailed extends Error {
  readonly status: number | undefined
  readonly code: string | undefined

  constructor(message: string, { status, code }: { status?: number | undefined; code?: string | undefined } = {}) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** The work was stopped by Ctrl-C. */
export class Stopped extends Error {
  constructor() {
    super('stopped')
  }
}
