import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sharedApi } from '../contract/support/api.ts'
import { FORMATS, jpeg, photo } from '../contract/support/images.ts'
import { inParallel } from '../contract/support/in-parallel.ts'
import { type Fields, file } from '../contract/support/multipart-body.ts'
import { expectCreated, expectUploaded, type Uploaded } from '../contract/support/responses.ts'
import { clientFolder, type Ended, mayRunGalleryDl, runClient } from './support/run-client.ts'

const api = sharedApi()
const host = 'api.pixhost.to'

interface Image {
  filename: string
  bytes: Buffer
}

/** One image of each format, under names with other extensions. */
const IMAGES: readonly Image[] = await Promise.all(
  FORMATS.map(async ({ format, encode }) => ({ filename: `One ${format}.bin`, bytes: await encode(photo(60, 40)) })),
)
const BEACH: Image = { filename: 'Beach Day.JPG', bytes: await jpeg(photo(120, 80)) }

/** Uploads an image on the clients' own domain; `fields` follow those of the minimal form. */
async function upload({ filename, bytes }: Image, fields: Fields = {}): Promise<Uploaded> {
  const form = { img: file(filename, bytes), content_type: '0', include_manage_url: '1', ...fields }
  return expectUploaded(await api.uploadImage(form, { host }))
}

/** Runs gallery-dl on one address. Returns also the files that it wrote, by name. */
async function download(url: string): Promise<Ended & { files: Record<string, Buffer> }> {
  const folder = await clientFolder()
  const ended = await runClient('gallery-dl', ['--config-ignore', '--directory', folder, url])
  const names = await readdir(folder)
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const))
  return { ...ended, files: Object.fromEntries(files) }
}

/** Returns the file name of an image in its links: `<id>_<name>`. */
const fileName = ({ showUrl }: Uploaded) => showUrl.split('/').at(-1) ?? ''

describe.skipIf(!mayRunGalleryDl())('gallery-dl of Debian (needs gallery-dl: apt install gallery-dl)', () => {
  test.for([
    ['safe for work', '0'],
    ['NSFW', '1'],
  ] as const)('downloads an image that is %s from its page', async ([, contentType]) => {
    const uploaded = await upload(BEACH, { content_type: contentType })
    expect(fileName(uploaded)).toMatch(/^\d+_beach-day\.jpg$/)
    expect(await download(uploaded.showUrl)).toMatchObject({
      code: 0,
      files: { [fileName(uploaded)]: BEACH.bytes },
    })
  })

  test('downloads a gallery: every image, in order, by name and byte for byte', async () => {
    const gallery = expectCreated(await api.createGallery({ gallery_name: 'All formats' }, { host }))
    const uploads: Uploaded[] = []
    for (const image of IMAGES) uploads.push(await upload(image, gallery.fields))
    await api.finalize(gallery.hash, gallery.uploadToken)

    const { code, stdout, files } = await download(gallery.url)
    expect(code).toBe(0)
    const written = stdout.trim().split('\n')
    expect(written.map((path) => basename(path))).toEqual(uploads.map(fileName))
    expect(files).toEqual(Object.fromEntries(uploads.map((one, at) => [fileName(one), IMAGES[at]?.bytes])))
  })

  test('downloads all 130 images of a gallery: it reads no second page (D38)', async () => {
    const gallery = expectCreated(await api.createGallery({}, { host }))
    const bytes = await jpeg(photo(16, 12))
    const uploads = await inParallel(Array.from({ length: 130 }), 4, () =>
      upload({ filename: 'a.jpg', bytes }, gallery.fields),
    )
    await api.finalize(gallery.hash, gallery.uploadToken)
    const { code, files } = await download(gallery.url)
    expect(code).toBe(0)
    expect(Object.keys(files).toSorted()).toEqual(uploads.map(fileName).toSorted())
  })

  test('finds nothing in an unfinished gallery, nor behind a deleted link', async () => {
    const gallery = expectCreated(await api.createGallery({}, { host }))
    await upload(BEACH, gallery.fields)
    const deleted = await upload(BEACH)
    await api.remove(deleted.managementToken)
    for (const url of [gallery.url, deleted.showUrl]) {
      const { code, stderr, files } = await download(url)
      expect(code, url).not.toBe(0)
      expect(files).toEqual({})
      expect(stderr).toContain('404')
    }
  })
})
