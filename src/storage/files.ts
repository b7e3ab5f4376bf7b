import type { Store } from './store.ts'

/** The two files of every picture, under `<kind>/<dir>/<id>_<name>`: the paths of their links are their keys. */
export type FileKind = 'images' | 'thumbs'

/** The key of a file; `path` is the `<dir>/<id>_<name>` of its picture. */
export function fileKey(kind: FileKind, path: string): string {
  return `${kind}/${path}`
}

/** A file to store. */
export interface NewFile {
  bytes: Uint8Array
  mediaType: string
}

/** Puts the two files of a picture; throws when either cannot be stored. */
export async function putFiles(store: Store, path: string, files: Record<FileKind, NewFile>): Promise<void> {
  await Promise.all(
    (['images', 'thumbs'] as const).map(async (kind) => {
      const { bytes, mediaType } = files[kind]
      const stored = await store.files.put(fileKey(kind, path), bytes, {
        httpMetadata: { contentType: mediaType },
        // The id was reserved, so nothing can be there; if something is, it is somebody's picture.
        onlyIf: { etagDoesNotMatch: '*' },
      })
      if (!stored) throw new Error(`a file is stored already under ${fileKey(kind, path)}`)
    }),
  )
}

/** Removes the files of these pictures. Files that are not there are no error. */
export async function deleteFiles(store: Store, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  await store.files.delete(paths.flatMap((path) => [fileKey('images', path), fileKey('thumbs', path)]))
}
