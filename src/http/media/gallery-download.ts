import { crc32 } from 'node:zlib'
import { fileNameForPeople, withoutReserved } from '../../domain/content/filename.ts'
import type { GalleryView } from '../../domain/galleries/gallery.ts'
import {
  centralDirectory,
  dataDescriptor,
  distinctNames,
  localHeader,
  type WrittenEntry,
  type ZipEntry,
  zipSize,
} from '../../domain/galleries/zip.ts'
import { arrivalTimeMs } from '../../domain/ids/image-id.ts'
import { imagePath } from '../../domain/ids/links.ts'
import { chunksOf } from '../../storage/files/chunks.ts'
import { fileKey } from '../../storage/files.ts'
import type { Image } from '../../storage/schema.ts'
import type { Store } from '../../storage/store.ts'
import { finishAfterHangUp } from '../after-response.ts'
import type { AppContext } from '../context.ts'
import { findRequestedView, missingGallery } from '../handlers/pages.ts'
import { chargeClient } from '../limits/client-limits.ts'
import { attachment } from '../responses/attachment.ts'

/** An image in the ZIP, and the path of its file. */
interface StoredEntry extends ZipEntry {
  key: string
}

/**
 * `GET` and `HEAD` of `/gallery/<hash>/download?part=N`: a ZIP of the files of a public gallery, in order (D45). A part
 * has the images of one page of the gallery, because a request may read only a limited number of files. Each file
 * counts against the client's limit.
 */
export async function serveGalleryDownload(c: AppContext): Promise<Response> {
  const view = await findRequestedView(c, 'part')
  if (!view || view === 'expired') return missingGallery(c, view)
  const entries = entriesOf(view.images)
  const size = zipSize(entries)
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': namedFor(view),
    'Content-Length': String(size),
  }
  if (c.req.method === 'HEAD') return new Response(null, { headers })
  await chargeClient(c, { download_files: entries.length })
  const { readable, writable } = new FixedLengthStream(size)
  finishAfterHangUp(c, writeZip(c, entries, writable))
  return new Response(readable, { headers })
}

function entriesOf(images: readonly Image[]): StoredEntry[] {
  const names = distinctNames(images.map(fileNameForPeople))
  return images.map((image, at) => ({
    key: fileKey('images', imagePath(image)),
    name: names[at] ?? image.name,
    size: image.bytes,
    crc32: image.crc32 ?? undefined,
    modifiedAtMs: arrivalTimeMs(image.id),
  }))
}

/** Named for the gallery. */
function namedFor({ gallery, page: part, pageCount }: GalleryView): string {
  const suffix = pageCount === 1 ? '.zip' : `-${part}.zip`
  const name = gallery.name === '' ? undefined : withoutReserved(gallery.name, 'gallery') + suffix
  return attachment(gallery.hash + suffix, name)
}

/**
 * Writes the ZIP, one file after the other. It is aborted where a file cannot be read: clients notice that it is shorter than its
 * Content-Length.
 */
async function writeZip(c: AppContext, entries: readonly StoredEntry[], writable: WritableStream<Uint8Array>) {
  const { store, logProblem } = c.var
  const writer = writable.getWriter()
  try {
    const written: WrittenEntry[] = []
    let offset = 0
    for (const entry of entries) {
      const header = localHeader(entry)
      await writer.write(header)
      const hasDescriptor = entry.crc32 === undefined
      let sum = 0
      for await (const chunk of bytesOf(store, entry)) {
        if (hasDescriptor) sum = crc32(chunk, sum)
        await writer.write(chunk)
      }
      const writtenEntry = { ...entry, crc32: entry.crc32 ?? sum, hasDescriptor, offset }
      written.push(writtenEntry)
      offset += header.length + entry.size
      if (!hasDescriptor) continue
      const descriptor = dataDescriptor(entry, writtenEntry.crc32)
      await writer.write(descriptor)
      offset += descriptor.length
    }
    await writer.write(centralDirectory(written, offset))
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
    if (error instanceof UnreadableFile) logProblem('a ZIP was broken off', error)
  }
}

/** A file is not in storage, is another one than its record says, or cannot be read. */
class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

/** The bytes of an entry's file. Throws `UnreadableFile`. */
async function* bytesOf(store: Store, { key, size }: StoredEntry): AsyncGenerator<Uint8Array, void> {
  try {
    const file = await store.files.read(key)
    if (file?.size === size) return yield* chunksOf(file.body)
    await file?.body.cancel()
  } catch (cause) {
    throw new UnreadableFile(`${key} cannot be read`, { cause })
  }
  throw new UnreadableFile(`${key} is gone`)
}
