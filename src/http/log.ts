import type { Backlog } from '../domain/maintenance.ts'
import { SECOND_MS } from '../units.ts'

/** Logs a problem that no client is told about. */
export function logProblem(what: string, error: unknown): void {
  console.error(`${what}: ${describeCause(error)}`)
}

/**
 * What may be logged of an error. The message of a failed query contains its parameters, which may be digests of tokens; the
 * message of its cause does not.
 */
export function describeCause(error: unknown): string {
  if (!(error instanceof Error)) return 'something other than an Error was thrown'
  let innermost = error
  while (innermost.cause instanceof Error) innermost = innermost.cause
  if (innermost.message.startsWith('Failed query')) return 'a query failed for no given cause'
  return innermost.stack ?? `${innermost.name}: ${innermost.message}`
}

/** Logs what a tick of maintenance left, in one line: numbers alone. */
export function logBacklog(backlog: Backlog, nowMs: number): void {
  console.log(describeBacklog(backlog, nowMs))
}

/** For each kind of work: how much is due, for how many seconds the oldest, and how much of it failed before. */
export function describeBacklog({ galleries, files, deletedGalleries }: Backlog, nowMs: number): string {
  const kinds = { galleries, files, 'deleted galleries': deletedGalleries }
  const parts = Object.entries(kinds).map(([kind, { count, oldestMs, failing }]) => {
    const facts = [
      ...(oldestMs === undefined ? [] : [`oldest ${Math.floor((nowMs - oldestMs) / SECOND_MS)} s`]),
      ...(failing === 0 ? [] : [`${failing} failing`]),
    ]
    return `${kind} ${count}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`
  })
  return `maintenance backlog: ${parts.join(', ')}`
}
