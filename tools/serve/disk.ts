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
    const { freeBytes } = await spaceOf(folder)
    const headers = { 'Free-Bytes': String(freeBytes) }
    return new LocalResponse(null, { status: freeBytes >= minFreeMib * MIB ? 204 : 507, headers })
  }
}

/** Returns whether the databases of a data folder can be opened. A file system without blocks, such as that of /proc, is never full. */
export async function hasRoomToOpen(folder: string): Promise<boolean> {
  if (!existsSync(folder)) return true
  const { freeBytes, bytes } = await spaceOf(folder)
  return bytes === 0 || freeBytes >= OPENING_BYTES
}

/** Returns the space of a disk, and how much of it is free for this user. */
async function spaceOf(folder: string): Promise<{ bytes: number; freeBytes: number }> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return { bytes: blocks * bsize, freeBytes: bavail * bsize }
}
