import { crc32 } from 'node:zlib'
import { RECONCILE_BATCH_RECORDS, VERIFY_AT_ONCE, VERIFY_BATCH_BYTES } from '../../limits.ts'
import { FILE_KINDS, type FileKind, fileKey } from '../../storage/files.ts'
import {
  type FileFacts,
  isStored,
  listRecords,
  type ReadFile,
  type RecordedImage,
  readWhole,
} from '../../storage/maintenance/inventory.ts'
import { changeImage } from '../../storage/read-cache.ts'
import type { Shard } from '../../storage/store.ts'
import { imagePath } from '../ids/links.ts'

/** Reads the files of images and compares their bytes with what is known of them: disks and copies change bytes without an error. */

/** The difference from the stored file; `unreadable` where the store fails to read a file that it knows. */
export type Damage = 'size' | 'crc32' | 'md5' | 'unreadable'

/** A file that is not as it was stored. */
export interface DamagedFile {
  kind: 'damaged'
  key: string
  image: RecordedImage
  damage: Damage
}

/** A file that an image should have. */
export interface MissingFile {
  kind: 'missing'
  key: string
  image: RecordedImage
}

/** One page of files that were read. */
interface VerifiedPage {
  records: number
  /** Files that were read. */
  verified: number
  /** Files among them of which nothing but the size is known. */
  unverifiable: number
  bytes: number
  findings: (DamagedFile | MissingFile)[]
  /** The id after which the next page begins; undefined after the last. */
  next: number | undefined
}

/** Reads the files of the images after this one, until there are `limit` or VERIFY_BATCH_BYTES were read. */
export async function verifyFiles(shard: Shard, afterId: number, limit: number): Promise<VerifiedPage> {
  const wanted = Math.min(limit, RECONCILE_BATCH_RECORDS)
  const records = await listRecords(shard, afterId, wanted)
  const page: VerifiedPage = { records: 0, verified: 0, unverifiable: 0, bytes: 0, findings: [], next: undefined }
  const step = Math.max(1, Math.floor(VERIFY_AT_ONCE / FILE_KINDS.length))
  while (page.records < records.length && page.bytes < VERIFY_BATCH_BYTES) {
    const some = records.slice(page.records, page.records + step)
    const files = some.filter(({ isLive }) => isLive).flatMap(filesOf)
    for (const { bytes, isVerifiable, finding } of await Promise.all(files.map((file) => verify(shard, file)))) {
      page.bytes += bytes
      page.verified++
      if (!isVerifiable) page.unverifiable++
      if (finding) page.findings.push(finding)
    }
    page.records += some.length
  }
  const isLast = page.records === records.length && records.length < wanted
  return { ...page, next: isLast ? undefined : records[page.records - 1]?.id }
}

/** A file that is to be read. */
interface WantedFile {
  key: string
  image: RecordedImage
  known: FileFacts
}

function filesOf(image: RecordedImage): WantedFile[] {
  const file = (kind: FileKind, known: FileFacts) => ({ key: fileKey(kind, imagePath(image)), image, known })
  const files = [file('images', image.original), file('thumbs', image.thumbnail)]
  return image.preview ? [...files, file('previews', image.preview)] : files
}

interface Verified {
  bytes: number
  isVerifiable: boolean
  finding?: DamagedFile | MissingFile | undefined
}

async function verify(shard: Shard, { key, image, known }: WantedFile): Promise<Verified> {
  const unread = { bytes: 0, isVerifiable: true }
  let read: ReadFile | undefined
  try {
    read = await readWhole(shard, key)
  } catch {
    // Where the store fails as a whole, this fails too, and nothing is said of the file.
    if (await isStored(shard, key)) return { ...unread, finding: { kind: 'damaged', key, image, damage: 'unreadable' } }
  }
  if (!read) return { ...unread, finding: { kind: 'missing', key, image } }
  // Also one that has expired.
  const remembered = shard.cache?.findFile(key, 0)
  // The file was put back since.
  if (remembered && crc32(remembered.bytes) !== read.crc32) await changeImage(shard, image, async () => {})
  const damage = damageOf(read, known)
  return {
    bytes: read.bytes,
    isVerifiable: known.crc32 !== null || read.md5 !== undefined,
    finding: damage && { kind: 'damaged', key, image, damage },
  }
}

function damageOf(read: ReadFile, known: FileFacts): Damage | undefined {
  if (read.bytes !== known.bytes) return 'size'
  if (known.crc32 !== null && read.crc32 !== known.crc32) return 'crc32'
  const { md5 } = read
  if (md5?.stored.some((byte, at) => byte !== md5.read[at])) return 'md5'
  return undefined
}
