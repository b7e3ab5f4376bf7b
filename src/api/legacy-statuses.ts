import type { ErrorCode } from '../errors.ts'

/** The standard names of the statuses that have another meaning here. */
const IN_HTTP: Readonly<Record<number, string>> = {
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
}

/** A sentence that says that the status does not have its standard meaning; empty if it has. */
export function legacyNote(codes: readonly ErrorCode[], status: number): string {
  const name = IN_HTTP[status]
  if (name === undefined || codes.includes('unsupported_media_type')) return ''
  return `A legacy status with a meaning of this service, not HTTP's "${name}".`
}
