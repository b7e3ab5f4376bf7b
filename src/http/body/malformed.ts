import { Failure } from '../../domain/failure.ts'

/** The failure for a request that cannot be parsed. */
export function malformed(message: string): Failure {
  return new Failure('malformed_request', message)
}
