import { type DiskBindings, diskFiles } from './disk.ts'
import { r2Files } from './r2.ts'
import { s3Files } from './s3.ts'
import { readS3Settings, type S3Variables } from './s3-settings.ts'
import type { FileStore } from './store.ts'

/** The bindings that say where files are: in S3 where there is an S3_URL, else in R2 or on the disk of one machine. */
export interface FileBindings extends S3Variables, Partial<DiskBindings> {
  FILES?: R2Bucket
}

/** Stores in S3 by the bindings of their Worker, for what they find out about the service. */
const known = new WeakMap<FileBindings, FileStore>()

/** Returns the store that is bound. Nothing else knows which one it is. */
export function boundFiles(bindings: FileBindings): FileStore {
  const { S3_URL, FILES, FILES_FOLDER, FILES_SERVICE } = bindings
  if (S3_URL !== undefined) {
    const store = known.get(bindings) ?? s3Files(readS3Settings(bindings))
    known.set(bindings, store)
    return store
  }
  if (FILES) return r2Files(FILES)
  if (FILES_FOLDER && FILES_SERVICE) return diskFiles({ FILES_FOLDER, FILES_SERVICE })
  throw new Error('no store of files is bound: FILES must be a bucket of R2')
}
