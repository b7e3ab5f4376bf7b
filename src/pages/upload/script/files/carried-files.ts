/** Database of files that wait while the page is loaded again, in another language. */
const DATABASE = 'carried-files'
const STORE = 'files'
/** Key of this window's storage: files of other windows are not touched. */
const WINDOW = 'carried-files'

/** Carries files over to the next page of this window. Rejects if the browser lets nothing be stored. */
export async function carryFiles(files: readonly File[]): Promise<void> {
  const key = `${Date.now()} ${Math.random()}`
  await withStore('readwrite', (store) => store.put(files, key))
  sessionStorage.setItem(WINDOW, key)
}

/** Returns the files that this window has carried over, once. */
export async function readCarriedFiles(): Promise<File[]> {
  const key = sessionStorage.getItem(WINDOW)
  if (key === null) return []
  sessionStorage.removeItem(WINDOW)
  const files: unknown = await withStore('readonly', (store) => store.get(key))
  // Also deletes files of windows that were closed meanwhile.
  await withStore('readwrite', (store) => store.clear())
  return Array.isArray(files) ? files.filter((file) => file instanceof File) : []
}

async function withStore<T>(mode: IDBTransactionMode, use: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE))
  const database = await resultOf(opening)
  try {
    return await resultOf(use(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error))
  })
}
