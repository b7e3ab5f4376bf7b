import { env } from 'cloudflare:workers'
import { imagePath } from '../../src/domain/ids/links.ts'
import { FILE_KINDS, fileKey } from '../../src/storage/files.ts'
import { rows } from './store.ts'

/** Returns records without a file, and files without a record or pending work. At the end nothing may be due. */
export async function auditFiles(isEnd: boolean): Promise<string[]> {
  const keys = new Set(await allKeys())
  const live = await rows(`
    SELECT images.id, images.name, preview_bytes IS NOT NULL AS has_preview FROM images LEFT JOIN galleries ON galleries.id = gallery_id
    WHERE images.deleted_at IS NULL AND galleries.deleted_at IS NULL`)
  const due = await rows(`
    SELECT image_id AS id, name FROM file_cleanup
    UNION SELECT images.id, images.name FROM images JOIN gallery_cleanup USING (gallery_id)`)
  const problems: string[] = []
  const explained = new Set<string>()
  for (const record of live) {
    const wanted = keysOf(record).filter((key) => record.has_preview || !key.startsWith('previews/'))
    for (const key of wanted) {
      if (!keys.has(key)) problems.push(`${key} has a record, and is not there`)
      explained.add(key)
    }
  }
  for (const record of due) {
    if (isEnd) problems.push(`${record.name} is due still`)
    for (const key of keysOf(record)) explained.add(key)
  }
  for (const key of keys) if (!explained.has(key)) problems.push(`${key} has neither a record nor an intent`)
  return problems
}

function keysOf({ id, name }: Record<string, unknown>): string[] {
  const path = imagePath({ id: Number(id), name: String(name) })
  return FILE_KINDS.map((kind) => fileKey(kind, path))
}

/** Returns the keys of all files. */
async function allKeys(): Promise<string[]> {
  const keys: string[] = []
  let cursor: string | undefined
  do {
    const list: R2Objects = await env.FILES.list(cursor === undefined ? {} : { cursor })
    keys.push(...list.objects.map(({ key }) => key))
    cursor = list.truncated ? list.cursor : undefined
  } while (cursor !== undefined)
  return keys
}

/** Returns whether a tick would find no work, at any time. */
export async function isAllDone(): Promise<boolean> {
  const shards = await rows(`
    SELECT EXISTS (SELECT 1 FROM file_cleanup) OR EXISTS (SELECT 1 FROM gallery_cleanup)
      OR EXISTS (SELECT 1 FROM gallery_retries) OR EXISTS (SELECT 1 FROM image_retries) OR EXISTS (SELECT 1 FROM idempotency_keys)
      OR EXISTS (SELECT 1 FROM galleries WHERE finalized_at IS NULL AND deleted_at IS NULL)
      OR EXISTS (SELECT 1 FROM images WHERE deleted_at IS NOT NULL AND path_digest IS NULL) AS work`)
  return shards.every(({ work }) => work === 0)
}
