/** Logs a problem that no client is told about. */
export function logProblem(what: string, error: unknown): void {
  console.error(`${what}: ${describeCause(error)}`)
}

/**
 * What may be logged of an error. The message of a failed query contains its parameters, which may be digests of tokens; the
 * message of its cause does not.
 */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error was thrown'
  let innermost = error
  while (innermost.cause instanceof Error) innermost = innermost.cause
  if (innermost.message.startsWith('Failed query')) return 'a query failed for no given cause'
  return innermost.stack ?? `${innermost.name}: ${innermost.message}`
}
