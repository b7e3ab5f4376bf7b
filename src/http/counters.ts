/**
 * Counters of this isolate since it began, the metrics of `/operator/metrics`. Labels have values of closed sets, never
 * from a request, so the number of series is bounded.
 */

/** The labels of a sample, by their names. */
export type Labels = Readonly<Record<string, string>>

/** A number with its labels. */
export interface Counted {
  labels: Labels
  value: number
}

const counted = new Map<string, Map<string, Counted>>()

let isolate: { id: string; startedMs: number } | undefined

/** The name of this isolate, random, and when it had its first request, in milliseconds since 1970. */
export function isolateFacts(): { id: string; startedMs: number } {
  // Outside of a request, a Worker has neither random numbers nor the time.
  isolate ??= { id: crypto.randomUUID().slice(0, 8), startedMs: Date.now() }
  return isolate
}

/** Adds to a counter. */
export function countUp(counter: string, labels: Labels = {}, by = 1): void {
  const series = counted.get(counter) ?? new Map<string, Counted>()
  counted.set(counter, series)
  const key = Object.values(labels).join('\n')
  series.set(key, { labels, value: (series.get(key)?.value ?? 0) + by })
}

/** All values of a counter. One without labels is 0 before it was counted up; the others are not there. */
export function countsOf(counter: string): Counted[] {
  return [...(counted.get(counter)?.values() ?? [])]
}
