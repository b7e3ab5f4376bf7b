import { readOnly, storageFull } from '../../domain/storage-failure.ts'
import { DISK_ROOM_FRESH_MS } from '../../limits.ts'
import { keepFresh } from '../cache/fresh.ts'
import type { AppContext } from '../context.ts'

/** The free space of the disk of `npm start`. */
export interface DiskRoom {
  /** Whether as much is free as its operator wants. */
  hasRoom: boolean
  freeBytes: number
}

const freshRoom = keepFresh<DiskRoom>(DISK_ROOM_FRESH_MS)

/**
 * Throws `storage_full` if the disk of `npm start` has less free space than its operator wants. In production there is no disk
 * to ask about. Throws `storage_unavailable` if the service is read-only: before a body is read for nothing.
 */
export async function requireDiskRoom(c: AppContext): Promise<void> {
  if (c.env.READ_ONLY === 'on') throw readOnly()
  const room = await diskRoom(c)
  if (room && !room.hasRoom) throw storageFull()
}

/** The room on the disk of `npm start`; undefined where there is no disk. */
export async function diskRoom({ env: { DISK } }: AppContext): Promise<DiskRoom | undefined> {
  if (DISK === undefined) return undefined
  return freshRoom(async () => {
    const { ok, headers } = await DISK.fetch('http://disk/')
    return { hasRoom: ok, freeBytes: Number(headers.get('Free-Bytes')) }
  })
}
