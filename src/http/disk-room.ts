import { storageFull } from '../domain/storage-failure.ts'
import { DISK_ROOM_FRESH_MS } from '../limits.ts'
import type { AppContext } from './context.ts'

/** What was last said of the disk, in this isolate. */
let known: { hasRoom: boolean; askedAtMs: number } | undefined

/**
 * Refuses to store where the disk of `npm start` has less free than its operator wants. In production there is no disk to ask
 * about. Throws `storage_full`.
 */
export async function requireDiskRoom({ env }: AppContext): Promise<void> {
  if (env.DISK === undefined) return
  const nowMs = Date.now()
  if (known === undefined || nowMs - known.askedAtMs >= DISK_ROOM_FRESH_MS) {
    // Who comes meanwhile goes by what was said before.
    if (known) known = { ...known, askedAtMs: nowMs }
    const { ok } = await env.DISK.fetch('http://disk/')
    known = { hasRoom: ok, askedAtMs: nowMs }
  }
  if (!known.hasRoom) throw storageFull()
}
