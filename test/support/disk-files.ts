import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { DiskFiles } from '../../tools/serve/data/disk-files.ts'
import { serveFiles } from '../../tools/serve/data/service.ts'

/** Returns services of files on a disk for the Workers of tests, bound as by `npm start`. */
export async function diskServices() {
  const data = mkdtempSync(join(process.env.TMPDIR ?? '/tmp', 'files-'))
  const folder = join(data, 'files')
  const files = new DiskFiles(folder)
  await files.open()
  const { socket } = await serveFiles(files, data)
  return {
    FILES_FOLDER: { disk: { path: folder, writable: true } },
    FILES_SERVICE: { external: { address: `unix:${socket}`, http: {} } },
  }
}
