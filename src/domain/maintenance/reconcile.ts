import { RECONCILE_BATCH_FILES, RECONCILE_BATCH_RECORDS, RECONCILE_HEADS, RECONCILE_MIN_AGE_MS } from '../../limits.ts'
import { FILE_KINDS, fileKey } from '../../storage/files.ts'
import {
  deleteKeys,
  type FileOwners,
  findFileOwners,
  isStored,
  listKeysFrom,
  listRecords,
  listStoredFiles,
  type RecordedImage,
  type StoredFile,
} from '../../storage/maintenance/inventory.ts'
import { type Shard, type Store, shardAt } from '../../storage/store.ts'
import { Failure } from '../failure.ts'
import { arrivalTimeMs, directoryOf } from '../ids/image-id.ts'
import { imagePath, parseImagePath } from '../ids/links.ts'
import { askShards, type UnavailableShard } from '../shards/available-shards.ts'
import { shardForImage } from '../shards/sharding.ts'
import { type DamagedFile, type MissingFile, verifyFiles } from './verify.ts'

/**
 * Compares the files in R2 with the records in D1, in batches: first every file in the order of keys, directory by directory,
 * then every record, shard by shard. Nothing else finds what a crash, a lost reply or a restored backup has left.
 */

/** A difference between R2 and D1. */
export type Finding =
  /** A file that belongs to no image and is not due to be removed. */
  | ({ kind: 'orphan'; isRemoved: boolean } & StoredFile)
  /** A file whose key no upload of this service has. */
  | ({ kind: 'unrecognized' } & StoredFile)
  | MissingFile
  | DamagedFile

/** The result for one batch. */
export interface ReconciledBatch {
  /** Number of files that were compared. */
  files: number
  /** Number of records that were compared. */
  records: number
  /** Number of files that are due to be removed by the sweep. */
  due: number
  /** Number of files that belong to no image yet: their uploads may still be in progress. */
  tooYoung: number
  /** Files that were read, and those of them that have no digest to compare with. */
  verified: number
  unverifiable: number
  /** Bytes that were read. */
  bytes: number
  findings: Finding[]
  /** Shards that did not respond. Their records were not compared. */
  unavailable: UnavailableShard[]
  /** Cursor of the next batch; undefined after the last. */
  next: string | undefined
}

/**
 * A batch to reconcile: from the cursor `after`, or the first; at most `limit` files or records. `remove` deletes
 * orphans. `verify` compares the bytes of files with their digests.
 */
export interface WantedBatch {
  after?: string | undefined
  limit?: number | undefined
  remove?: boolean | undefined
  verify?: boolean | undefined
}

const FILES_FROM = 'files:'
const RECORDS_FROM = 'records:'
const RECORDS_CURSOR = new RegExp(`^${RECORDS_FROM}(?:([1-9][0-9]?)/)?([0-9]{1,16})$`)

/** Compares one batch. Throws `invalid_option` if `after` is not a cursor. */
export async function reconcile(
  store: Store,
  { after = FILES_FROM, limit = RECONCILE_BATCH_FILES, remove = false, verify = false }: WantedBatch,
  nowMs: number,
): Promise<ReconciledBatch> {
  if (after.startsWith(FILES_FROM)) {
    const afterKey = after.slice(FILES_FROM.length)
    return reconcileFiles(store, { afterKey, limit: Math.min(limit, RECONCILE_BATCH_FILES), remove }, nowMs)
  }
  const [, number = '0', afterId] = RECORDS_CURSOR.exec(after) ?? []
  const shard = shardAt(store, Number(number))
  if (afterId === undefined || shard.number !== Number(number)) {
    throw new Failure('invalid_option', 'after must be the next of an earlier response')
  }
  const following = store.shards[store.shards.indexOf(shard) + 1]
  const { results, unavailable } = await askShards([shard], () =>
    (verify ? verifyRecords : reconcileRecords)(shard, Number(afterId), Math.min(limit, RECONCILE_BATCH_RECORDS)),
  )
  const [failure] = unavailable
  if (failure && store.shards.length === 1) throw failure.error
  const compared = results[0]?.result ?? { ...NO_FILES, ...NOTHING_READ, records: 0, findings: [], next: undefined }
  return { ...compared, unavailable, next: compared.next ?? (following && recordsCursor(following, 0)) }
}

const NOTHING_READ = { verified: 0, unverifiable: 0, bytes: 0 }
const NO_FILES = { files: 0, due: 0, tooYoung: 0 }

/** Cursors of shard 0 name no shard, as before there were several. */
function recordsCursor({ number }: Shard, afterId: number): string {
  return `${RECORDS_FROM}${number === 0 ? '' : `${number}/`}${afterId}`
}

async function reconcileFiles(
  store: Store,
  { afterKey, limit, remove }: { afterKey: string; limit: number; remove: boolean },
  nowMs: number,
): Promise<ReconciledBatch> {
  const { files, isLast } = await listStoredFiles(store, afterKey, limit)
  const { judged, unavailable } = await judge(store, files, nowMs)
  const of = (wanted: Judgement) => judged.filter(({ judgement }) => judgement === wanted).map(({ file }) => file)
  const orphans = await stillThere(store, of('orphan'), afterKey, limit)
  if (remove) {
    await deleteKeys(
      store,
      orphans.map(({ key }) => key),
    )
  }
  return {
    ...NOTHING_READ,
    files: files.length,
    records: 0,
    due: of('due').length,
    tooYoung: of('too young').length,
    findings: [
      ...of('unrecognized').map((file) => ({ kind: 'unrecognized' as const, ...file })),
      ...orphans.map((file) => ({ kind: 'orphan' as const, ...file, isRemoved: remove })),
    ],
    unavailable,
    next: isLast ? `${RECORDS_FROM}0` : `${FILES_FROM}${files.at(-1)?.key ?? afterKey}`,
  }
}

type Judgement = 'owned' | 'due' | 'too young' | 'orphan' | 'unrecognized' | 'unknown'

async function judge(store: Store, files: readonly StoredFile[], nowMs: number) {
  const parsed = files.map((file) => ({ file, address: parseKey(file.key) }))
  const ids = new Set(parsed.flatMap(({ address }) => address?.id ?? []))
  const byShard = Map.groupBy(ids, (id) => shardForImage(store, id))
  const { results, unavailable } = await askShards([...byShard.keys()], (shard) =>
    findFileOwners(shard, byShard.get(shard) ?? []),
  )
  const [failure] = unavailable
  if (failure && store.shards.length === 1) throw failure.error
  const asked = new Set(results.map(({ shard }) => shard))
  const owners = new Map(results.flatMap(({ result }) => result).map((row) => [row.id, row]))
  const judgementOf = (file: StoredFile, address: ReturnType<typeof parseKey>): Judgement => {
    if (!address) return 'unrecognized'
    return asked.has(shardForImage(store, address.id))
      ? judgeFile(file, address, owners.get(address.id), nowMs)
      : 'unknown'
  }
  const judged = parsed.map(({ file, address }) => ({ file, judgement: judgementOf(file, address) }))
  return { judged, unavailable }
}

function judgeFile(
  { storedAtMs }: StoredFile,
  { id, path }: { id: number; path: string },
  owners: FileOwners | undefined,
  nowMs: number,
): Judgement {
  const isOf = (name: string | null | undefined) => typeof name === 'string' && imagePath({ id, name }) === path
  if (isOf(owners?.live)) return 'owned'
  if (isOf(owners?.due) || isOf(owners?.dueWithGallery)) return 'due'
  return nowMs - Math.max(storedAtMs, arrivalTimeMs(id)) < RECONCILE_MIN_AGE_MS ? 'too young' : 'orphan'
}

/** Returns the files that are still listed: a delete may have removed others meanwhile. */
async function stillThere(
  store: Store,
  files: readonly StoredFile[],
  afterKey: string,
  limit: number,
): Promise<StoredFile[]> {
  if (files.length === 0) return []
  const again = await listStoredFiles(store, afterKey, limit)
  const keys = new Set(again.files.map(({ key }) => key))
  return files.filter(({ key }) => keys.has(key))
}

type ComparedRecords = Omit<ReconciledBatch, 'unavailable'>

async function reconcileRecords(shard: Shard, afterId: number, limit: number): Promise<ComparedRecords> {
  const records = await listRecords(shard, afterId, limit)
  const last = records.at(-1)
  const missing = await missingFiles(
    shard,
    records.filter(({ isLive }) => isLive),
  )
  return {
    ...NO_FILES,
    ...NOTHING_READ,
    records: records.length,
    findings: missing,
    next: last && records.length === limit ? recordsCursor(shard, last.id) : undefined,
  }
}

async function verifyRecords(shard: Shard, afterId: number, limit: number): Promise<ComparedRecords> {
  const { findings, next, ...counts } = await verifyFiles(shard, afterId, limit)
  return {
    ...NO_FILES,
    ...counts,
    findings: await stillLive(shard, findings),
    next: next === undefined ? undefined : recordsCursor(shard, next),
  }
}

/** Returns the findings about images that were not deleted meanwhile. */
async function stillLive<One extends MissingFile | DamagedFile>(
  shard: Shard,
  findings: readonly One[],
): Promise<One[]> {
  if (findings.length === 0) return []
  const owners = await findFileOwners(shard, [...new Set(findings.map(({ image }) => image.id))])
  const live = new Set(owners.filter(({ live: name }) => name !== null).map(({ id }) => id))
  return findings.filter(({ image }) => live.has(image.id))
}

/** The files of these images that are not stored. */
async function missingFiles(shard: Shard, live: readonly RecordedImage[]): Promise<MissingFile[]> {
  const listed = await listedKeys(shard, live)
  const unlisted = live.flatMap((image) =>
    keysOf(image)
      .filter((key) => !listed.has(key))
      .map((key): MissingFile => ({ kind: 'missing', key, image })),
  )
  const missing: typeof unlisted = []
  for (let from = 0; from < unlisted.length; from += RECONCILE_HEADS) {
    const part = unlisted.slice(from, from + RECONCILE_HEADS)
    const stored = await Promise.all(part.map(({ key }) => isStored(shard, key)))
    missing.push(...part.filter((_, i) => !stored[i]))
  }
  return stillLive(shard, missing)
}

/** Returns most of the stored keys of these images with few calls: it lists each directory that has three or more of them. */
async function listedKeys(shard: Shard, live: readonly RecordedImage[]): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for (const [directory, [first, , third]] of Map.groupBy(live, ({ id }) => directoryOf(id))) {
    if (!first || !third) continue
    const lists = await Promise.all(FILE_KINDS.map((kind) => listKeysFrom(shard, kind, directory, first.id)))
    for (const key of lists.flat()) keys.add(key)
  }
  return keys
}

/** The keys of the files that an image has. */
function keysOf(image: RecordedImage): string[] {
  return FILE_KINDS.filter((kind) => kind !== 'previews' || image.preview).map((kind) =>
    fileKey(kind, imagePath(image)),
  )
}

/** The image's id and its `<dir>/<id>_<name>` in the key of a file; undefined for a key of another form. */
function parseKey(key: string): { id: number; path: string } | undefined {
  const kind = FILE_KINDS.find((one) => key.startsWith(fileKey(one, '')))
  return kind && parseImagePath(key.slice(fileKey(kind, '').length))
}
