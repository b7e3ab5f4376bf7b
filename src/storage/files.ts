import type { WithFiles } from './store.ts'

/** The kinds of files of an image: original, thumbnail and, of most, preview. Keys are the paths of links, `<kind>/<dir>/<id>_<name>`. */
export const FILE_KINDS = ['images', 'thumbs', 'previews'] as const

/** A kind of file. */
export type FileKind = (typeof FILE_KINDS)[number]

/** A file to store. */
export interface NewFile {
  bytes: Uint8Array
  mediaType: string
}

/** The key of a file; `path` is the `<dir>/<id>_<name>` of its image. */
export function fileKey(kind: FileKind, path: string): string {
  return `${kind}/${path}`
}

/** Stores the files of an image. Throws if one cannot be stored. */
export async function putFiles(
  store: WithFiles,
  path: string,
  files: Readonly<Partial<Record<FileKind, NewFile>>>,
): Promise<void> {
  await Promise.all(
    FILE_KINDS.map(async (kind) => {
      const file = files[kind]
      if (!file) return
      const { bytes, mediaType } = file
      const key = fileKey(kind, path)
      const isCreated = await store.files.create(key, bytes, { mediaType })
      // The id was reserved: a file that is there is our own, whose reply was lost, or another image's.
      if (!isCreated && !(await isStored(store, key, bytes))) throw new Error(`a file is stored already under ${key}`)
    }),
  )
}

/** Whether these bytes are what is stored. */
export async function isStored(store: WithFiles, key: string, bytes: Uint8Array): Promise<boolean> {
  const { md5 } = (await store.files.head(key)) ?? {}
  return md5 !== undefined && crypto.subtle.timingSafeEqual(md5, await crypto.subtle.digest('MD5', bytes))
}

/** Removes the files of these images. Missing files are not an error. */
export async function deleteFiles(store: WithFiles, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  await store.files.delete(paths.flatMap((path) => FILE_KINDS.map((kind) => fileKey(kind, path))))
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
