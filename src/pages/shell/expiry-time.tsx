import { formatUntil } from './formatting.ts'
import type { Language } from './language.ts'

/** The time at which content is gone, as a page shows it at `nowMs`. */
export interface Expiry {
  atMs: number
  nowMs: number
}

/** The time at which content is gone: relative where it is near. */
export function ExpiryTime({ language, expiry: { atMs, nowMs } }: { language: Language; expiry: Expiry }) {
  return <time datetime={new Date(atMs).toISOString()}>{formatUntil(language, atMs, nowMs)}</time>
}
