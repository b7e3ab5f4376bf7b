// Puts single files of a backup back into a data folder whose service may run: those of one image, or one file, where the present one
// is damaged or missing.

import { randomUUID } from 'node:crypto'
import { existsSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import type { parseImagePath } from '../../src/domain/ids/links.ts'
import { readDigests } from '../serve/data/digests.ts'
import { readLocation } from '../serve/data/file-location.ts'
import type { Facts } from '../serve/data/layout.ts'
import { FILES, factsPath, formatFacts, incomingPath, parseFacts, pathOf } from '../serve/data/layout.ts'
import { findDatabases, withDatabase } from '../serve/data/stored-data.ts'
import { ignoreAbsence } from '../shared/command-line.ts'
import { makeFolder, syncFolder } from '../shared/durable-files.ts'
import { copiesInSnapshots } from './snapshots.ts'

export type Kind = 'images' | 'thumbs' | 'previews'

/** The record of an image: what is known of its files. Not every image has a preview. */
export interface Known {
  bytes: number
  crc32: number | null
}
type ImageRecord = Record<'images' | 'thumbs', Known> & { previews?: Known }

/** The outcome for one file. `from` is the snapshot that it was put back from. */
type PutBack =
  | { key: string; outcome: 'healthy' }
  | { key: string; outcome: 'put back'; from: string }
  | { key: string; outcome: 'no copy' }

const KINDS = ['images', 'thumbs', 'previews'] as const

/**
 * Restores the files of a name: the address or path of an image's page or of one of its files, or the key of a file.
 * Healthy files stay untouched. Snapshots are searched in their order. Throws a sentence if the name is invalid or its image does
 * not exist.
 */
export async function putBack(
  data: string,
  backups: string,
  snapshots: readonly string[],
  name: string,
): Promise<PutBack[]> {
  const elsewhere = readLocation(data)?.s3.S3_URL
  if (elsewhere !== undefined) throw new Error(`the files of ${data} are in ${elsewhere}: copy this one to there`)
  if (!existsSync(path.join(data, FILES))) throw new Error(`${data} holds no files: name the data folder with --data`)
  const { parseImagePath } = await import('../../src/domain/ids/links.ts')
  const { image, kinds } = readName(name, parseImagePath)
  const findRecord = () => recordOf(data, image)
  const record = findRecord()
  if (!record) throw new Error(`no image is there that ${name} belongs to: it may be deleted`)
  const outcomes: PutBack[] = []
  for (const kind of kinds.filter((one) => record[one] || kinds.length === 1)) {
    outcomes.push(await putBackOne({ data, backups, snapshots, key: `${kind}/${image.path}`, kind, findRecord }))
  }
  return outcomes
}

function readName(name: string, parsePath: typeof parseImagePath) {
  const pathname = URL.canParse(name) ? new URL(name).pathname : name
  const [, folder, rest = ''] = /^\/?(show|images|thumbs|previews)\/([^?#]+)/.exec(pathname) ?? []
  const image = parsePath(rest)
  if (folder === undefined || !image) {
    throw new Error(
      `--only must be the address of an image or of its file, or a name as images/<number>/<file>: received "${name}"`,
    )
  }
  return { image, kinds: KINDS.filter((kind) => folder === 'show' || folder === kind) }
}

/** The record of an image that is there; undefined where it is not, or is deleted. */
function recordOf(data: string, { id, path: imagePath }: { id: number; path: string }): ImageRecord | undefined {
  for (const file of findDatabases(data)) {
    const row = withDatabase(path.join(data, file), (database) =>
      database
        .prepare(
          `SELECT images.* FROM images LEFT JOIN galleries ON galleries.id = images.gallery_id
           WHERE images.id = ? AND images.deleted_at IS NULL AND galleries.deleted_at IS NULL`,
        )
        .get(id),
    )
    if (!row || !imagePath.endsWith(`_${row.name}`)) continue
    const sumOf = (value: unknown) => (typeof value === 'number' ? value : null)
    return {
      images: { bytes: Number(row.bytes), crc32: sumOf(row.crc32) },
      // A database that no service of this version has opened lacks the column.
      thumbs: { bytes: Number(row.thumbnail_bytes), crc32: sumOf(row.thumbnail_crc32) },
      ...(typeof row.preview_bytes === 'number' && {
        previews: { bytes: row.preview_bytes, crc32: sumOf(row.preview_crc32) },
      }),
    }
  }
  return undefined
}

async function putBackOne({
  data,
  backups,
  snapshots,
  key,
  kind,
  findRecord,
}: {
  data: string
  backups: string
  snapshots: readonly string[]
  key: string
  kind: Kind
  findRecord: () => ImageRecord | undefined
}): Promise<PutBack> {
  const files = path.join(data, FILES)
  const target = pathOf(files, key)
  const known = findRecord()?.[kind]
  if (target === undefined || !known) throw new Error(`${key} is no file of an image`)
  const facts = readFacts(target)
  if (await isHealthy(target, known, facts?.md5)) return { key, outcome: 'healthy' }
  for await (const copy of copiesInSnapshots(backups, snapshots, key)) {
    const incoming = incomingPath(files, randomUUID()) ?? ''
    try {
      const read = await readDigests(copy.file, incoming).catch(ignoreAbsence)
      const isAsBackedUp = read?.sha256 === copy.sha256 && read.md5 === copy.md5
      if (!isAsBackedUp || read.bytes !== known.bytes || (known.crc32 ?? read.crc32) !== read.crc32) continue
      replaceFile(incoming, target, { md5: read.md5, storedMs: facts?.storedMs ?? Date.now() })
      // Deleted meanwhile: its sweep has been here, and knows nothing of this file.
      if (!findRecord()) removeFile(target)
      return { key, outcome: 'put back', from: copy.snapshot }
    } finally {
      for (const file of [incoming, factsPath(incoming)]) rmSync(file, { force: true })
    }
  }
  return { key, outcome: 'no copy' }
}

async function isHealthy(target: string, known: Known, md5: string | undefined) {
  try {
    const read = await readDigests(target)
    return read.bytes === known.bytes && (known.crc32 ?? read.crc32) === read.crc32 && (md5 ?? read.md5) === read.md5
  } catch {
    // The file is missing, or the disk cannot read it.
    return false
  }
}

/** Replaces a file as a whole by `incoming`, another file of the same disk. */
function replaceFile(incoming: string, target: string, facts: Facts) {
  makeFolder(path.dirname(target))
  const factsOfIncoming = factsPath(incoming)
  symlinkSync(formatFacts(facts), factsOfIncoming)
  // Until the second rename, the facts are those of the damaged file. They equal those of this one, or are computed again.
  renameSync(incoming, target)
  renameSync(factsOfIncoming, factsPath(target))
  syncFolder(path.dirname(target))
}

function removeFile(target: string) {
  for (const file of [factsPath(target), target]) rmSync(file, { force: true })
  syncFolder(path.dirname(target))
}

function readFacts(target: string) {
  try {
    return parseFacts(readlinkSync(factsPath(target)))
  } catch {
    return undefined
  }
}
