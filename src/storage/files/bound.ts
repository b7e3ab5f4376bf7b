import { r2Files } from './r2.ts'
import type { FileStore } from './store.ts'

/** The bindings that say where files are. */
export interface FileBindings {
  FILES: R2Bucket
}

/** Returns the store that is bound. Nothing else knows which one it is. */
export function boundFiles({ FILES }: FileBindings): FileStore {
  return r2Files(FILES)
}
