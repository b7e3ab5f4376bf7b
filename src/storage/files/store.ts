/** The files of images by key, `<kind>/<dir>/<id>_<name>`. A file never changes: it is created once, read and deleted. */
export interface FileStore {
  /**
   * Stores a file as a whole or not at all. Returns false where the key is taken: nothing is overwritten. The file survives a power
   * cut once this resolves (D49), and bytes that changed on their way to the store are refused.
   */
  create(key: string, bytes: Uint8Array, info: { mediaType: string }): Promise<boolean>
  /** Returns a file, or a part of it that lies within it; undefined where there is no such file. */
  read(key: string, range?: FileRange): Promise<StoredFileBody | undefined>
  /** Returns the facts of a file; undefined where there is no such file. */
  head(key: string): Promise<StoredFile | undefined>
  /** Deletes at most a thousand files. Missing ones are not an error. */
  delete(keys: readonly string[]): Promise<void>
  /** Returns files in the order of their keys as UTF-16, and whether they are the last: a page may be shorter than its limit. */
  list(options: ListOptions): Promise<FilePage>
}

/** A part of a file: `length` bytes from `offset`. */
export interface FileRange {
  offset: number
  length: number
}

/** The facts of a stored file. */
export interface StoredFile {
  key: string
  /** In bytes, of the whole file. */
  size: number
  /** A strong entity tag, with its quotes. It is that of these bytes for as long as they are stored. */
  etag: string
  uploaded: Date
  /** MD5 of the bytes, where the store keeps it. */
  md5: Uint8Array | undefined
}

/** A stored file and a stream of its bytes, or of the part that was asked for. It is to be read or cancelled. */
export interface StoredFileBody extends StoredFile {
  body: ReadableStream<Uint8Array>
}

interface ListOptions {
  /** Of the keys. Absent, all files are listed. */
  prefix?: string
  /** Keys up to this one are left out. It need not be the key of a file. */
  after?: string
  /** At most 1000. */
  limit: number
}

/** One page of a list. */
interface FilePage {
  files: StoredFile[]
  isLast: boolean
}
