import { READ_CACHE } from '../limits.ts'
import type { StoredFile } from './files/store.ts'
import type { Gallery, Image } from './schema.ts'
import { Sieve } from './sieve.ts'

/** The record of a public image, with its gallery if it is in one. */
interface CachedRecord {
  image: Image
  gallery: Gallery | null
}

/** A whole file, as it is stored and recorded. */
export interface CachedFile {
  /** The time from which it is not served; null for content that stays. */
  expiresAtMs: number | null
  stored: StoredFile
  mediaType: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A page, in the encoding that its headers name. */
interface CachedPage {
  headers: Readonly<Record<string, string>>
  bytes: Uint8Array<ArrayBuffer>
}

/** An image, by its id, and the gallery that it is in, if any. */
export interface CachedImage {
  id: number
  /** Galleries of different shards have the same numbers. */
  shard: number
  galleryId: number | null
}

/** A gallery, by its number on its shard. */
interface CachedGallery {
  shard: number
  galleryId: number
}

/** The shard that a write goes to, and the cache that has to know of it. */
interface CachedShard {
  number: number
  cache: ReadCache | undefined
}

/** Runs a write that deletes or hides an image, shows it again, adds it to a public gallery, or changes its texts. */
export function changeImage<Result>(
  { cache, number }: CachedShard,
  { id, galleryId }: Pick<CachedImage, 'id' | 'galleryId'>,
  write: () => Promise<Result>,
): Promise<Result> {
  return cache ? cache.changeImage({ id, galleryId, shard: number }, write) : write()
}

/** Runs a write that deletes, hides or renames a gallery, or shows it again. */
export function changeGallery<Result>(
  { cache, number }: CachedShard,
  galleryId: number,
  write: () => Promise<Result>,
): Promise<Result> {
  return cache ? cache.changeGallery({ shard: number, galleryId }, write) : write()
}

/** Runs the same for several images of one gallery. */
export function changeImages<Result>(
  { cache, number }: CachedShard,
  ids: readonly number[],
  galleryId: number,
  write: () => Promise<Result>,
): Promise<Result> {
  return cache ? cache.changeImages(ids, { galleryId, shard: number }, write) : write()
}

/** Runs a write that changes the order of a gallery, or its cover image. */
export function changeListing<Result>(
  { cache, number }: CachedShard,
  galleryId: number,
  write: () => Promise<Result>,
): Promise<Result> {
  return cache ? cache.changeListing({ shard: number, galleryId }, write) : write()
}

/** Sources of an entry. A write that changes one of them drops it. */
type Tag = `image ${number}` | `gallery ${number}-${number}` | `listing ${number}-${number}`

interface Entry {
  record?: CachedRecord
  file?: CachedFile
  page?: CachedPage
  tags: readonly Tag[]
  /** The time from which it is not returned. */
  expiresAtMs: number | null
}

/**
 * Caches public records and small files in the memory of an isolate. It is consistent if all writes go through that
 * isolate, as on one machine: a read that begins after the response to a delete does not see the deleted data.
 *
 * - A write drops the entries of what it changes before it begins. Until it has succeeded, none of these is stored
 *   again.
 * - A read remembers the number of the last write when it begins. It stores nothing that a later write has changed.
 * - A write that fails or hangs may take effect at any time. What it changes is not cached again.
 * - Only public data is stored, and no negative results, so publishing needs no invalidation.
 * - An entry of content that expires is compared with the clock of the reader.
 *
 * Entries are evicted by SIEVE.
 */
export class ReadCache {
  readonly #entries: Sieve<Entry>
  readonly #keysOf = new Map<Tag, Set<string>>()
  /** The number of writes under way or failed, of each tag that has one. */
  readonly #unsettled = new Map<Tag, number>()
  /** The last write of each tag, the latest last, without those up to `#forgottenUntil`. */
  readonly #lastWrites = new Map<Tag, number>()
  #forgottenUntil = 0
  #writes = 0
  #isOff = false
  #hits = 0
  #misses = 0

  constructor(maxBytes = READ_CACHE.maxBytes) {
    this.#entries = new Sieve(maxBytes, ({ tags }, key) => {
      for (const tag of tags) this.#forgetKey(tag, key)
    })
  }

  /** The number of the last write: what begins now may store what no later write changes. */
  get lastWrite(): number {
    return this.#writes
  }

  /** Metrics of the cache. After too many writes with unknown effect it is off until the isolate ends. */
  get state() {
    const { bytes, size } = this.#entries
    return { bytes, entries: size, hits: this.#hits, misses: this.#misses, isOff: this.#isOff }
  }

  /** The public image at `<dir>/<id>_<name>`. */
  findImage(path: string, nowMs: number): CachedRecord | undefined {
    return this.#find(path, nowMs)?.record
  }

  /** Stores a public image. Like all that stores, it takes the number of the last write when the read began. */
  storeImage(path: string, record: CachedRecord, image: CachedImage, lastWrite: number): void {
    const times = [record.image.expiresAt, record.gallery?.expiresAt ?? null].filter((time) => time !== null)
    const expiresAtMs = times.length === 0 ? null : Math.min(...times)
    this.#store(path, { record, tags: tagsOf(image, { withListing: true }), expiresAtMs }, 0, lastWrite)
  }

  /** The file of a public image, by its key. */
  findFile(key: string, nowMs: number): CachedFile | undefined {
    return this.#counted(this.#find(key, nowMs)?.file)
  }

  storeFile(file: CachedFile, image: CachedImage, lastWrite: number): void {
    const tags = tagsOf(image, { withListing: false })
    const { expiresAtMs } = file
    this.#store(file.stored.key, { file, tags, expiresAtMs }, file.bytes.length, lastWrite)
  }

  /** A page of a public image. Its key names all that it depends on beside records: it must not depend on the time. */
  findPage(key: string, nowMs: number): CachedPage | undefined {
    return this.#counted(this.#find(key, nowMs)?.page)
  }

  storePage(key: string, page: CachedPage, image: CachedImage, lastWrite: number): void {
    this.#store(
      key,
      { page, tags: tagsOf(image, { withListing: true }), expiresAtMs: null },
      page.bytes.length,
      lastWrite,
    )
  }

  /** Drops the entries of images that have expired: none of them is returned any more, nor stored again. */
  dropImages(ids: readonly number[]): void {
    for (const id of ids) this.#drop(`image ${id}`)
  }

  /** Drops the entries of galleries that have expired. */
  dropGalleries(shard: number, ids: readonly number[]): void {
    for (const id of ids) this.#drop(`gallery ${shard}-${id}`)
  }

  /** Runs a write that deletes or hides an image, shows it again, adds it to a public gallery, or changes its texts. */
  changeImage<Result>(image: CachedImage, write: () => Promise<Result>): Promise<Result> {
    const { id, shard, galleryId } = image
    return galleryId === null
      ? this.#change([`image ${id}`], write)
      : this.changeImages([id], { shard, galleryId }, write)
  }

  /** Runs the same for several images of one gallery. */
  changeImages<Result>(
    ids: readonly number[],
    { shard, galleryId }: CachedGallery,
    write: () => Promise<Result>,
  ): Promise<Result> {
    return this.#change([...ids.map((id): Tag => `image ${id}`), `listing ${shard}-${galleryId}`], write)
  }

  /** Runs a write that deletes, hides or renames a gallery, or shows it again. */
  changeGallery<Result>({ shard, galleryId }: CachedGallery, write: () => Promise<Result>): Promise<Result> {
    return this.#change([`gallery ${shard}-${galleryId}`, `listing ${shard}-${galleryId}`], write)
  }

  /** Runs a write that changes the order of a gallery, or its cover image. */
  changeListing<Result>({ shard, galleryId }: CachedGallery, write: () => Promise<Result>): Promise<Result> {
    return this.#change([`listing ${shard}-${galleryId}`], write)
  }

  #find(key: string, nowMs: number): Entry | undefined {
    const entry = this.#entries.get(key)
    if (!entry || entry.expiresAtMs === null || entry.expiresAtMs > nowMs) return entry
    this.#entries.delete(key)
    return undefined
  }

  #counted<Found>(found: Found | undefined): Found | undefined {
    if (found === undefined) this.#misses++
    else this.#hits++
    return found
  }

  #store(key: string, entry: Entry, bytes: number, lastWrite: number): void {
    if (this.#isOff || bytes > READ_CACHE.entryMaxBytes || lastWrite < this.#forgottenUntil) return
    if (entry.tags.some((tag) => this.#unsettled.has(tag) || (this.#lastWrites.get(tag) ?? 0) > lastWrite)) return
    this.#entries.set(key, entry, bytes + READ_CACHE.overheadBytes)
    for (const tag of entry.tags) {
      const keys = this.#keysOf.get(tag)
      if (keys) keys.add(key)
      else this.#keysOf.set(tag, new Set([key]))
    }
  }

  async #change<Result>(tags: readonly Tag[], write: () => Promise<Result>): Promise<Result> {
    if (this.#isOff) return write()
    for (const tag of tags) {
      this.#unsettled.set(tag, (this.#unsettled.get(tag) ?? 0) + 1)
      this.#drop(tag)
    }
    if (this.#unsettled.size > READ_CACHE.maxUnsettled) this.#turnOff()
    // Where it throws, the write may still take effect: its tags stay unsettled.
    const result = await write()
    for (const tag of tags) this.#settle(tag)
    return result
  }

  #drop(tag: Tag): void {
    for (const key of this.#keysOf.get(tag) ?? []) this.#entries.delete(key)
  }

  #settle(tag: Tag): void {
    const others = (this.#unsettled.get(tag) ?? 1) - 1
    if (others > 0) this.#unsettled.set(tag, others)
    else this.#unsettled.delete(tag)
    this.#lastWrites.delete(tag)
    this.#lastWrites.set(tag, ++this.#writes)
    if (this.#lastWrites.size <= READ_CACHE.rememberedWrites) return
    for (const [oldest, write] of this.#lastWrites) {
      this.#lastWrites.delete(oldest)
      this.#forgottenUntil = write
      return
    }
  }

  #turnOff(): void {
    this.#isOff = true
    this.#entries.clear()
    this.#unsettled.clear()
  }

  #forgetKey(tag: Tag, key: string): void {
    const keys = this.#keysOf.get(tag)
    keys?.delete(key)
    if (keys?.size === 0) this.#keysOf.delete(tag)
  }
}

/** Returns the sources of an entry about an image; with the listing, also the name of its gallery and the images beside it. */
function tagsOf({ id, shard, galleryId }: CachedImage, { withListing }: { withListing: boolean }): Tag[] {
  if (galleryId === null) return [`image ${id}`]
  const tags: Tag[] = [`image ${id}`, `gallery ${shard}-${galleryId}`]
  if (withListing) tags.push(`listing ${shard}-${galleryId}`)
  return tags
}
