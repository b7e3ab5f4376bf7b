import { ERRORS, type FailureCode, type FixedCode } from '../errors.ts'

/** A refusal: a stable code and one sentence that tells the caller what to change. It never holds a token. */
export class Failure extends Error {
  readonly code: FailureCode
  /** Whole seconds after which the same request may pass, if known. */
  readonly retryAfterS: number | undefined

  /** With the sentence of the code, unless the occasion has one of its own. */
  constructor(code: FixedCode)
  constructor(code: FailureCode, message: string, retryAfterS?: number)
  constructor(code: FailureCode, message?: string, retryAfterS?: number) {
    const row: { status: number; sentence?: string } = ERRORS[code]
    super(message ?? row.sentence)
    this.name = 'Failure'
    this.code = code
    this.retryAfterS = retryAfterS
  }
}
