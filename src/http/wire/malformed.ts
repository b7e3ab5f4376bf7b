import { Failure } from '../../domain/failure.ts'

/** A request whose bytes are not what they should be. */
export function malformed(message: string): Failure {
  return new Failure('malformed_request', message)
}
