import type { ErrorCode } from './error-codes.ts'

/** What HTTP calls the statuses that have a meaning of the service's own. */
const IN_HTTP: Readonly<Record<number, string>> = {
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
}

/** A sentence for who reads HTTP's own meaning into the status of these errors; empty where that is the meaning. */
export function legacyNote(codes: readonly ErrorCode[], status: number): string {
  const name = IN_HTTP[status]
  if (name === undefined || codes.includes('unsupported_media_type')) return ''
  return `A legacy status with a meaning of this service, not HTTP's "${name}".`
}
