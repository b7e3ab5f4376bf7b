// Whether the disk of a data folder has the room that its operator wants.
import { statfs } from 'node:fs/promises'
import { Response } from 'miniflare'

const MIB = 1024 * 1024

/**
 * A service that the Worker asks, as `DISK`: 204 while at least so much is free for who runs this, else 507.
 * @param {string} folder
 * @param {number} minFreeMib
 */
export function diskService(folder, minFreeMib) {
  return async () => {
    const { bavail, bsize } = await statfs(folder)
    return new Response(null, { status: bavail * bsize >= minFreeMib * MIB ? 204 : 507 })
  }
}
