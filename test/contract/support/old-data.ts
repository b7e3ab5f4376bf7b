import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { readLocalService } from '../../../tools/build/build.ts'

/** Files of the service that data folders of older versions do not have. */
const NEWER = ['files']
const KINDS = ['images', 'thumbs', 'previews']

/**
 * Makes a data folder as versions before 2.1 left it, from that of a stopped service. The files of images are in the
 * bucket that Miniflare simulates.
 */
export async function makeOldData(data: string, from: string): Promise<void> {
  cpSync(from, data, { recursive: true, filter: (source) => !source.endsWith('.sock') })
  for (const name of NEWER) rmSync(join(data, name), { recursive: true, force: true })
  const [bucketName] = Object.values(readLocalService().bindings.r2Buckets ?? {})
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: data,
      cf: false,
      workers: [{ name: 'old', modules: true, script: 'export default {}', r2Buckets: { FILES: String(bucketName) } }],
    }),
  )
  try {
    const bucket = await miniflare.getR2Bucket('FILES')
    for (const key of keysOf(join(from, 'files'))) await bucket.put(key, readFileSync(join(from, 'files', key)))
  } finally {
    await miniflare.dispose()
  }
}

/** Returns the keys of the image files in a folder. */
function keysOf(folder: string): string[] {
  return KINDS.filter((kind) => existsSync(join(folder, kind))).flatMap((kind) =>
    readdirSync(join(folder, kind)).flatMap((directory) =>
      readdirSync(join(folder, kind, directory))
        .filter((name) => !name.startsWith('.'))
        .map((name) => `${kind}/${directory}/${name}`),
    ),
  )
}
