import { storageFull } from '../domain/storage-failure.ts'
import { DISK_ROOM_FRESH_MS } from '../limits.ts'
import type { AppContext } from './context.ts'

/** What is known of the disk of `npm start`. */
export interface DiskRoom {
  /** Whether as much is free as its operator wants. */
  hasRoom: boolean
  freeBytes: number
}

/** The last answer about the disk, for all requests of this isolate. */
let known: (DiskRoom & { askedAtMs: number }) | undefined

/**
 * Throws `storage_full` if the disk of `npm start` has less free space than its operator wants. In production there is no disk
 * to ask about.
 */
export async function requireDiskRoom(c: AppContext): Promise<void> {
  const room = await diskRoom(c)
  if (room && !room.hasRoom) throw storageFull()
}

/** The room on the disk of `npm start`; undefined where there is no disk. */
export async function diskRoom({ env }: AppContext): Promise<DiskRoom | undefined> {
  if (env.DISK === undefined) return undefined
  const nowMs = Date.now()
  if (known && Math.abs(nowMs - known.askedAtMs) < DISK_ROOM_FRESH_MS) return known
  // Requests that come while the disk is asked use the previous answer.
  if (known) known = { ...known, askedAtMs: nowMs }
  const { ok, headers } = await env.DISK.fetch('http://disk/')
  known = { hasRoom: ok, freeBytes: Number(headers.get('Free-Bytes')), askedAtMs: nowMs }
  return known
}
