import { r2Files } from './r2.ts'
import { s3Files } from './s3.ts'
import { readS3Settings, type S3Variables } from './s3-settings.ts'
import type { FileStore } from './store.ts'

/** The bindings that say where files are: in S3 where there is an S3_URL, else in R2. */
export interface FileBindings extends S3Variables {
  FILES: R2Bucket
}

/** Stores in S3 by the bindings of their Worker, for what they find out about the service. */
const known = new WeakMap<FileBindings, FileStore>()

/** Returns the store that is bound. Nothing else knows which one it is. */
export function boundFiles(bindings: FileBindings): FileStore {
  if (bindings.S3_URL === undefined) return r2Files(bindings.FILES)
  const store = known.get(bindings) ?? s3Files(readS3Settings(bindings))
  known.set(bindings, store)
  return store
}
