import type { WithFiles } from './store.ts'

/** The two files of every image. Their keys are the paths of their links, `<kind>/<dir>/<id>_<name>`. */
export type FileKind = 'images' | 'thumbs'

/** The key of a file; `path` is the `<dir>/<id>_<name>` of its image. */
export function fileKey(kind: FileKind, path: string): string {
  return `${kind}/${path}`
}

/** Stores the two files of an image; throws if either cannot be stored. */
export async function putFiles(
  store: WithFiles,
  path: string,
  files: Record<FileKind, { bytes: Uint8Array; mediaType: string }>,
): Promise<void> {
  await Promise.all(
    (['images', 'thumbs'] as const).map(async (kind) => {
      const { bytes, mediaType } = files[kind]
      const key = fileKey(kind, path)
      const isCreated = await store.files.create(key, bytes, { mediaType })
      // The id was reserved: a file that is there is our own, whose reply was lost, or another image's.
      if (!isCreated && !(await isStored(store, key, bytes))) throw new Error(`a file is stored already under ${key}`)
    }),
  )
}

/** Whether these bytes are what is stored. */
async function isStored(store: WithFiles, key: string, bytes: Uint8Array): Promise<boolean> {
  const { md5 } = (await store.files.head(key)) ?? {}
  return md5 !== undefined && crypto.subtle.timingSafeEqual(md5, await crypto.subtle.digest('MD5', bytes))
}

/** Removes the files of these images. Missing files are not an error. */
export async function deleteFiles(store: WithFiles, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  await store.files.delete(paths.flatMap((path) => [fileKey('images', path), fileKey('thumbs', path)]))
}

/** The bytes of an image's file; undefined if it is gone. */
export async function readFile(
  store: WithFiles,
  kind: FileKind,
  path: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = await store.files.read(fileKey(kind, path))
  return file && new Uint8Array(await new Response(file.body).arrayBuffer())
}
