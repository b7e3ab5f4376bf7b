// The objects of the rate limiter in a data folder: one SQLite file each.

import { rmSync } from 'node:fs'
import path from 'node:path'
import type { V4WorkerOptionsShape } from 'miniflare'
import { makeFolder, syncFolder } from '../shared/durable-files.ts'

/** Names their folder below `do`. */
export const LIMITER_KEY = 'tintype-clients'
/** Files of version 2.0: one for each client address, never deleted. */
const OBJECT_PER_CLIENT = 'tintype-RateLimiter'

/**
 * Makes their folder, which workerd would make and not sync, and removes the files of version 2.0. What of these a cut leaves, the
 * next start removes. Their limits are full once: nothing is taken over.
 */
export function prepareLimiterObjects(data: string) {
  const objects = path.join(data, 'do')
  makeFolder(path.join(objects, LIMITER_KEY))
  rmSync(path.join(objects, OBJECT_PER_CLIENT), { recursive: true, force: true })
  syncFolder(objects)
}

/** The Durable Objects of wrangler.toml, in that folder. */
export function withLimiterKey(
  durableObjects: V4WorkerOptionsShape['durableObjects'] = {},
): NonNullable<V4WorkerOptionsShape['durableObjects']> {
  return Object.fromEntries(
    Object.entries(durableObjects).map(([binding, object]) => [
      binding,
      { ...(typeof object === 'string' ? { className: object } : object), unsafeUniqueKey: LIMITER_KEY },
    ]),
  )
}
