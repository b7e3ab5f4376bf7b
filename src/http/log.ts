/** Logs a problem that no answer tells of. */
export function logProblem(what: string, error: unknown): void {
  console.error(`${what}: ${describeCause(error)}`)
}

/**
 * What may be logged of an error. The message of a failed query holds its parameters, digests of tokens among them: the
 * message of its cause does not.
 */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return 'something that is no error was thrown'
  const innermost = error.cause instanceof Error ? error.cause : error
  if (innermost.message.startsWith('Failed query')) return 'a query failed for no given cause'
  return innermost.stack ?? `${innermost.name}: ${innermost.message}`
}
