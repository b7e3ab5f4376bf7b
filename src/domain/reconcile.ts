import { RECONCILE_BATCH_FILES, RECONCILE_BATCH_RECORDS, RECONCILE_HEADS, RECONCILE_MIN_AGE_MS } from '../limits.ts'
import { type FileKind, fileKey } from '../storage/files.ts'
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
} from '../storage/inventory.ts'
import { type Shard, type Store, shardAt } from '../storage/store.ts'
import { askShards, type UnavailableShard } from './available-shards.ts'
import { Failure } from './failure.ts'
import { arrivalTimeMs, directoryOf } from './image-id.ts'
import { type ImageAddress, imagePath, parseImagePath } from './links.ts'
import { placeOfImage } from './placement.ts'
import { type DamagedFile, type MissingFile, verifyFiles } from './verify.ts'

/**
 * Compares what R2 holds with what D1 knows, piece by piece: first every file in the order of keys, which is directory by
 * directory, then every record, shard by shard. What a crash, a lost reply or a restored backup has left is found by it, and by
 * nothing else.
 */

/** Something that R2 and D1 do not agree about. */
export type Finding =
  /** A file that belongs to no image and is not due to be removed. */
  | ({ kind: 'orphan'; isRemoved: boolean } & StoredFile)
  /** A file that no upload has stored, by its key: it is somebody else's. */
  | ({ kind: 'unrecognized' } & StoredFile)
  | MissingFile
  | DamagedFile

/** One piece of the comparison. */
export interface ReconciledPiece {
  /** How many files were looked at. */
  files: number
  /** How many records were looked at. */
  records: number
  /** How many of the files are due to be removed by the sweep. */
  due: number
  /** How many of the files belong to nobody yet: their uploads may still be under way. */
  tooYoung: number
  /** Files that were read, and those of them that have no digest to compare with. */
  verified: number
  unverifiable: number
  /** Bytes that were read. */
  bytes: number
  findings: Finding[]
  /** Shards that did not respond: what is on them was not compared. */
  unavailable: UnavailableShard[]
  /** Where the next piece begins; undefined after the last. */
  next: string | undefined
}

/**
 * A batch to reconcile: from the cursor `after`, or the first; at most `limit` files or records. `remove` deletes
 * orphans. `verify` compares the bytes of files with their digests.
 */
export interface WantedPiece {
  after?: string | undefined
  limit?: number | undefined
  remove?: boolean | undefined
  verify?: boolean | undefined
}

const FILES_FROM = 'files:'
const RECORDS_FROM = 'records:'
const PLACE_IN_RECORDS = new RegExp(`^${RECORDS_FROM}(?:([1-9][0-9]?)/)?([0-9]{1,16})$`)
const KINDS: readonly FileKind[] = ['images', 'thumbs']

/** Compares one piece. Throws `invalid_option` where `after` is not the `next` of another. */
export async function reconcile(
  store: Store,
  { after = FILES_FROM, limit = RECONCILE_BATCH_FILES, remove = false, verify = false }: WantedPiece,
  nowMs: number,
): Promise<ReconciledPiece> {
  if (after.startsWith(FILES_FROM)) {
    const afterKey = after.slice(FILES_FROM.length)
    return reconcileFiles(store, { afterKey, limit: Math.min(limit, RECONCILE_BATCH_FILES), remove }, nowMs)
  }
  const [, number = '0', afterId] = PLACE_IN_RECORDS.exec(after) ?? []
  const shard = shardAt(store, Number(number))
  if (afterId === undefined || shard.number !== Number(number)) {
    throw new Failure('invalid_option', 'after must be what an earlier answer has as next')
  }
  const following = store.shards[store.shards.indexOf(shard) + 1]
  const { results, unavailable } = await askShards([shard], () =>
    (verify ? verifyRecords : reconcileRecords)(shard, Number(afterId), Math.min(limit, RECONCILE_BATCH_RECORDS)),
  )
  const [failure] = unavailable
  if (failure && store.shards.length === 1) throw failure.error
  const compared = results[0]?.result ?? { ...NO_FILES, ...NOTHING_READ, records: 0, findings: [], next: undefined }
  return { ...compared, unavailable, next: compared.next ?? (following && placeInRecords(following, 0)) }
}

const NOTHING_READ = { verified: 0, unverifiable: 0, bytes: 0 }
const NO_FILES = { files: 0, due: 0, tooYoung: 0 }

/** On shard 0 it is as it was before there were others. */
function placeInRecords({ number }: Shard, afterId: number): string {
  return `${RECORDS_FROM}${number === 0 ? '' : `${number}/`}${afterId}`
}

async function reconcileFiles(
  store: Store,
  { afterKey, limit, remove }: { afterKey: string; limit: number; remove: boolean },
  nowMs: number,
): Promise<ReconciledPiece> {
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
  const byShard = Map.groupBy(ids, (id) => placeOfImage(store, id))
  const { results, unavailable } = await askShards([...byShard.keys()], (shard) =>
    findFileOwners(shard, byShard.get(shard) ?? []),
  )
  const [failure] = unavailable
  if (failure && store.shards.length === 1) throw failure.error
  const asked = new Set(results.map(({ shard }) => shard))
  const owners = new Map(results.flatMap(({ result }) => result).map((row) => [row.id, row]))
  const judgementOf = (file: StoredFile, address: ReturnType<typeof parseKey>): Judgement => {
    if (!address) return 'unrecognized'
    return asked.has(placeOfImage(store, address.id))
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
  if (isOf(owners?.kept)) return 'owned'
  if (isOf(owners?.due) || isOf(owners?.dueWithGallery)) return 'due'
  return nowMs - Math.max(storedAtMs, arrivalTimeMs(id)) < RECONCILE_MIN_AGE_MS ? 'too young' : 'orphan'
}

/** Those that are in the same piece of the list once more: others were removed by a delete while they were judged. */
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

type ComparedRecords = Omit<ReconciledPiece, 'unavailable'>

async function reconcileRecords(shard: Shard, afterId: number, limit: number): Promise<ComparedRecords> {
  const records = await listRecords(shard, afterId, limit)
  const last = records.at(-1)
  const missing = await missingFiles(
    shard,
    records.filter(({ isKept }) => isKept),
  )
  return {
    ...NO_FILES,
    ...NOTHING_READ,
    records: records.length,
    findings: missing,
    next: last && records.length === limit ? placeInRecords(shard, last.id) : undefined,
  }
}

async function verifyRecords(shard: Shard, afterId: number, limit: number): Promise<ComparedRecords> {
  const { findings, next, ...counts } = await verifyFiles(shard, afterId, limit)
  return {
    ...NO_FILES,
    ...counts,
    findings: await stillKept(shard, findings),
    next: next === undefined ? undefined : placeInRecords(shard, next),
  }
}

/** The findings about images that were not deleted meanwhile: those lack nothing. */
async function stillKept<One extends MissingFile | DamagedFile>(
  shard: Shard,
  findings: readonly One[],
): Promise<One[]> {
  if (findings.length === 0) return []
  const owners = await findFileOwners(shard, [...new Set(findings.map(({ image }) => image.id))])
  const kept = new Set(owners.filter(({ kept: name }) => name !== null).map(({ id }) => id))
  return findings.filter(({ image }) => kept.has(image.id))
}

/** The files of these images that are not stored. */
async function missingFiles(shard: Shard, kept: readonly RecordedImage[]): Promise<MissingFile[]> {
  const listed = await listedKeys(shard, kept)
  const unlisted = kept.flatMap((image) =>
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
  return stillKept(shard, missing)
}

/** Most of the keys of these images that are stored, by few calls: where several images share a directory, a list of it. */
async function listedKeys(shard: Shard, kept: readonly RecordedImage[]): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  for (const [directory, [first, , third]] of Map.groupBy(kept, ({ id }) => directoryOf(id))) {
    if (!first || !third) continue
    const lists = await Promise.all(KINDS.map((kind) => listKeysFrom(shard, kind, directory, first.id)))
    for (const key of lists.flat()) keys.add(key)
  }
  return keys
}

function keysOf(image: ImageAddress): string[] {
  return KINDS.map((kind) => fileKey(kind, imagePath(image)))
}

/** The image's id and its `<dir>/<id>_<name>` in the key of a file; undefined for a key of another form. */
function parseKey(key: string): { id: number; path: string } | undefined {
  const kind = KINDS.find((one) => key.startsWith(fileKey(one, '')))
  return kind && parseImagePath(key.slice(fileKey(kind, '').length))
}
