// Whether the disk of a data folder has the room that its operator wants.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { Response } from 'miniflare'

const MIB = 1024 * 1024
/** SQLite needs them for its log and its shared memory, before it reads or deletes anything. */
const OPENING_BYTES = 256 * 1024

/**
 * The service `DISK` of the Worker. It responds with 204 while this user has enough free disk space, else with 507.
 * `Free-Bytes` is the free space.
 */
export function diskService(folder: string, minFreeMib: number, LocalResponse: typeof Response) {
  return async () => {
    const freeBytes = await freeBytesOf(folder)
    const headers = { 'Free-Bytes': String(freeBytes) }
    return new LocalResponse(null, { status: freeBytes >= minFreeMib * MIB ? 204 : 507, headers })
  }
}

/** Returns whether the databases of a data folder can be opened. */
export async function hasRoomToOpen(folder: string): Promise<boolean> {
  return !existsSync(folder) || (await freeBytesOf(folder)) >= OPENING_BYTES
}

/** Returns the space of a disk that is free for this user. */
async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
