import { storageFull } from '../domain/storage-failure.ts'
import { DISK_ROOM_FRESH_MS } from '../limits.ts'
import type { AppContext } from './context.ts'

/** The last answer about the disk, for all requests of this isolate. */
let known: { hasRoom: boolean; askedAtMs: number } | undefined

/**
 * Throws `storage_full` if the disk of `npm start` has less free space than its operator wants. In production there is no disk
 * to ask about.
 */
export async function requireDiskRoom({ env }: AppContext): Promise<void> {
  if (env.DISK === undefined) return
  const nowMs = Date.now()
  if (known === undefined || nowMs - known.askedAtMs >= DISK_ROOM_FRESH_MS) {
    // Requests that come while the disk is asked use the previous answer.
    if (known) known = { ...known, askedAtMs: nowMs }
    const { ok } = await env.DISK.fetch('http://disk/')
    known = { hasRoom: ok, askedAtMs: nowMs }
  }
  if (!known.hasRoom) throw storageFull()
}
