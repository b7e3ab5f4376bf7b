// Whether the disk of a data folder has the room that its operator wants.
import { statfs } from 'node:fs/promises'
import type { Response } from 'miniflare'

const MIB = 1024 * 1024

/**
 * The service `DISK` of the Worker. It responds with 204 while this user has enough free disk space, else with 507.
 * `Free-Bytes` is the free space.
 */
export function diskService(folder: string, minFreeMib: number, LocalResponse: typeof Response) {
  return async () => {
    const { bavail, bsize } = await statfs(folder)
    const freeBytes = bavail * bsize
    const headers = { 'Free-Bytes': String(freeBytes) }
    return new LocalResponse(null, { status: freeBytes >= minFreeMib * MIB ? 204 : 507, headers })
  }
}
