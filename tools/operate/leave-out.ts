// Images that a restored backup has damaged files of.

import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { findDatabases, withDatabase } from '../serve/data/stored-data.ts'
import { syncFile } from '../shared/durable-files.ts'

/** An image with a damaged file: its address, and what is wrong with the file. */
export interface Affected {
  address: string
  message: string
}

/**
 * Marks the images of damaged files deleted in the databases of a data folder. Their addresses then respond 404, and the service
 * removes their remaining files. An image with only a damaged preview loses the preview. `damaged` has the messages by the keys
 * of the files. Returns the addresses.
 */
export async function leaveOut(data: string, damaged: ReadonlyMap<string, string>) {
  if (damaged.size === 0) return { leftOut: [], withoutPreview: [] }
  const { parseImagePath, showUrl, singleHostSite } = await import('../../src/domain/ids/links.ts')
  const leftOut: AffectedImages = new Map()
  const withoutPreview: AffectedImages = new Map()
  // Previews last: an image that is left out has none to lose.
  const isPreview = (key: string) => key.startsWith('previews/')
  for (const [key, message] of [...damaged].toSorted(([one], [other]) => +isPreview(one) - +isPreview(other))) {
    const image = parseImagePath(key.slice(key.indexOf('/') + 1))
    if (!image || leftOut.has(image.id)) continue
    const name = key.slice(key.indexOf('_') + 1)
    const images = isPreview(key) ? withoutPreview : leftOut
    images.set(image.id, { address: showUrl(singleHostSite(''), { id: image.id, name }), message, name })
  }
  for (const file of findDatabases(data)) {
    withDatabase(path.join(data, file), (database) => updateRecords(database, leftOut, withoutPreview), {})
    syncFile(path.join(data, file))
  }
  const listed = (images: AffectedImages) => [...images.values()].map(({ address, message }) => ({ address, message }))
  return { leftOut: listed(leftOut), withoutPreview: listed(withoutPreview) }
}

/** By their ids. */
type AffectedImages = Map<number, Affected & { name: string }>

function updateRecords(database: DatabaseSync, leftOut: AffectedImages, withoutPreview: AffectedImages) {
  const nowMs = Date.now()
  const deleteImage = database.prepare('UPDATE images SET deleted_at = ? WHERE id = ? AND deleted_at IS NULL')
  const sweep = database.prepare('INSERT OR IGNORE INTO file_cleanup (image_id, name, due_at) VALUES (?, ?, ?)')
  database.exec('BEGIN')
  for (const [id, { name }] of leftOut) if (deleteImage.run(nowMs, id).changes > 0) sweep.run(id, name, nowMs)
  if (withoutPreview.size > 0) {
    const forgetPreview = database.prepare(
      `UPDATE images SET preview_media_type = NULL, preview_bytes = NULL, preview_width = NULL, preview_height = NULL,
        preview_crc32 = NULL WHERE id = ?`,
    )
    for (const id of withoutPreview.keys()) forgetPreview.run(id)
  }
  database.exec('COMMIT')
}
