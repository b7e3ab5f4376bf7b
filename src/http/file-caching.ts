import { MEDIA_BROWSER_CACHE_S, MEDIA_EDGE_CACHE_S } from '../limits.ts'
import { SECOND_MS } from '../units.ts'

/** Returns the seconds until content is gone, at most `mostS`: no cache may keep it for longer. */
export function remainingS(expiresAt: number | null, nowMs: number, mostS: number): number {
  return expiresAt === null ? mostS : Math.max(Math.min(Math.floor((expiresAt - nowMs) / SECOND_MS), mostS), 0)
}

/** Returns the `Cache-Control` of a file (D29), which ends with its content. */
export function fileCaching(expiresAt: number | null, nowMs: number): string {
  const [browserS, edgeS] = [MEDIA_BROWSER_CACHE_S, MEDIA_EDGE_CACHE_S].map((s) => remainingS(expiresAt, nowMs, s))
  return `public, max-age=${browserS}, s-maxage=${edgeS}`
}
