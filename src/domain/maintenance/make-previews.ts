import { crc32 } from 'node:zlib'
import { FORMATS, type ImageFile, ImageRefusal, type ProbedImage, probe, uprightSize } from 'tintype-codec/interface'
import { makePreview } from '../../image/thumbnail.ts'
import { PREVIEWS_BATCH_RECORDS } from '../../limits.ts'
import { listImages, putPreview, recordPreview } from '../../storage/content/previews.ts'
import { fileKey, readFile } from '../../storage/files.ts'
import type { Image } from '../../storage/schema.ts'
import { type Shard, type Store, shardAt } from '../../storage/store.ts'
import { isOwnPreview, needsPreview, previewBeside } from '../content/preview.ts'
import { Failure } from '../failure.ts'
import { imagePath } from '../ids/links.ts'
import { askShards, type UnavailableShard } from '../shards/available-shards.ts'

/** An image of which no preview can be made: its original is missing or cannot be decoded. */
interface UnpreviewedImage {
  kind: 'missing' | 'unreadable'
  key: string
  image: Image
}

/** The results of one batch. */
interface MadePreviews {
  /** Images that were listed. */
  records: number
  /** Previews that were made, and their bytes. */
  made: number
  bytes: number
  findings: UnpreviewedImage[]
  unavailable: UnavailableShard[]
  /** The cursor to continue from; undefined after the last image of the last shard. */
  next: string | undefined
}

const CURSOR = /^([0-9]{1,2})\/([0-9]{1,16})$/

/**
 * Makes the preview of the next image that needs one. A batch ends after one image, because its decoding is the work of an upload.
 * Throws `invalid_option` if `after` is not a cursor.
 */
export async function makePreviews(store: Store, after: string = '0/0'): Promise<MadePreviews> {
  const [, number, afterId] = CURSOR.exec(after) ?? []
  const shard = shardAt(store, Number(number))
  if (afterId === undefined || shard.number !== Number(number)) {
    throw new Failure('invalid_option', 'after must be the next of an earlier response')
  }
  const following = store.shards[store.shards.indexOf(shard) + 1]
  const { results, unavailable } = await askShards([shard], () => makeNext(shard, Number(afterId)))
  const [failure] = unavailable
  if (failure && store.shards.length === 1) throw failure.error
  const batch = results[0]?.result ?? { records: 0, made: 0, bytes: 0, findings: [], next: undefined }
  return { ...batch, unavailable, next: batch.next ?? (following && `${following.number}/0`) }
}

async function makeNext(shard: Shard, afterId: number): Promise<Omit<MadePreviews, 'unavailable'>> {
  const listed = await listImages(shard, afterId, PREVIEWS_BATCH_RECORDS)
  const at = listed.findIndex(({ image, isLive }) => isLive && needsPreview(image))
  const records = at === -1 ? listed.length : at + 1
  const last = listed[records - 1]?.image
  const isEnd = records === listed.length && listed.length < PREVIEWS_BATCH_RECORDS
  const batch = {
    records,
    made: 0,
    bytes: 0,
    findings: [],
    next: last && !isEnd ? `${shard.number}/${last.id}` : undefined,
  }
  const image = listed[at]?.image
  if (!image) return batch
  const made = await makeOf(shard, image)
  return typeof made === 'number'
    ? { ...batch, made: made > 0 ? 1 : 0, bytes: made }
    : { ...batch, findings: [{ kind: made, key: fileKey('images', imagePath(image)), image }] }
}

/** Returns the bytes of the preview that was made, 0 if none was needed or the image was deleted meanwhile, or why none can be made. */
async function makeOf(shard: Shard, image: Image): Promise<number | UnpreviewedImage['kind']> {
  const path = imagePath(image)
  const bytes = await readFile(shard, 'images', path)
  if (!bytes) return 'missing'
  const made = await previewFor(bytes)
  if (made === 'unreadable') return made
  const { preview, animated } = made
  if (!preview) return 0
  const { mediaType } = FORMATS[preview.format]
  await putPreview(shard, path, { bytes: preview.bytes, mediaType })
  const isRecorded = await recordPreview(shard, image, path, {
    previewMediaType: mediaType,
    previewBytes: preview.bytes.length,
    previewWidth: preview.size.width,
    previewHeight: preview.size.height,
    previewCrc32: crc32(preview.bytes),
    animated,
  })
  return isRecorded ? preview.bytes.length : 0
}

/** Returns the preview of an original, undefined if none is needed, and whether the original is an animation. */
async function previewFor(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ preview: ImageFile | undefined; animated: boolean } | 'unreadable'> {
  try {
    const facts = probe(bytes)
    if (!facts) return 'unreadable'
    const image: ProbedImage = { bytes, facts }
    const { format, animated } = facts
    if (isOwnPreview(image)) return { preview: undefined, animated }
    return { preview: previewBeside({ bytes, format, size: uprightSize(facts) }, await makePreview(image)), animated }
  } catch (error) {
    if (error instanceof ImageRefusal && error.reason !== 'busy') return 'unreadable'
    throw error
  }
}
