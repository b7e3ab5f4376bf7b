import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A power cut would forget the name of a new file, whose content is on the disk. Windows opens no folder, and syncs them by itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
