import { expect, test } from 'vitest'
import { readZip } from '../support/zip.ts'
import { sharedApi } from './support/api.ts'
import { header } from './support/client.ts'
import { FORMATS, photo } from './support/images.ts'
import { file } from './support/multipart-body.ts'
import { createGallery, uploadImage } from './support/steps.ts'

const api = sharedApi()

const pathOf = (gallery: { url: string }) => `${new URL(gallery.url).pathname}/download`

/** D45: "`/gallery/<hash>/download` is a stored ZIP of a finalized gallery's originals, in order." */
test('the originals of a finalized gallery, in order, with repeated names numbered', async () => {
  const gallery = await createGallery(api, 'Zürich: "Ferien"')
  const links: string[] = []
  for (const { extension, encode } of [...FORMATS, ...FORMATS.slice(0, 2)]) {
    const img = file(`a.${extension}`, await encode(photo(60, 40)))
    links.push((await uploadImage(api, { img, ...gallery.fields })).originalUrl)
  }
  const shot = file('Été.JPG', await FORMATS[0].encode(photo(60, 40)))
  links.push((await uploadImage(api, { img: shot, ...gallery.fields })).originalUrl)
  await api.finalize(gallery.hash, gallery.uploadToken)
  const originals = await Promise.all(links.map((link) => api.follow(link)))
  const path = pathOf(gallery)
  const [head, response] = [await api.get(path, { method: 'HEAD' }), await api.get(path)]

  const files = readZip(response.bytes)
  const names = FORMATS.map(({ extension }) => `a.${extension}`)
  expect(files.map(({ name }) => name)).toEqual([
    ...names,
    ...names.slice(0, 2).map((name) => name.replace('.', '-2.')),
    'Été.JPG',
  ])
  for (const [index, { bytes }] of files.entries()) expect(bytes, files[index]?.name).toEqual(originals[index]?.bytes)
  for (const { status, headers } of [head, response]) {
    expect([status, headers['content-type'], headers['content-length']]).toEqual([
      200,
      'application/zip',
      String(response.bytes.length),
    ])
  }
  expect(head.bytes).toHaveLength(0)
  expect(header(response, 'content-disposition')).toBe(
    `attachment; filename="${gallery.hash}.zip"; filename*=UTF-8''Z%C3%BCrich%20Ferien.zip`,
  )
})

test('nothing of a gallery that is unfinished or deleted, or lacks the requested part', async () => {
  const open = await createGallery(api)
  await uploadImage(api, open.fields)
  expect((await api.get(pathOf(open))).status).toBe(404)
  await api.finalize(open.hash, open.uploadToken)
  for (const [query, status] of [
    ['', 200],
    ['?part=1', 200],
    ['?part=2', 404],
    ['?part=0', 404],
    ['?part=x', 404],
  ] as const) {
    expect((await api.get(pathOf(open) + query)).status, query).toBe(status)
  }
  await api.remove(open.managementToken)
  expect((await api.get(pathOf(open))).status).toBe(404)
  expect((await api.get('/gallery/aaaaaaaaaaaa/download')).status).toBe(404)
})
