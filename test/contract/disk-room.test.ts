import { spawnSync } from 'node:child_process'
import { closeSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { header } from './support/client.ts'
import { paddedPng } from './support/png-file.ts'
import { sendRaw } from './support/raw-request.ts'
import { expectTextError } from './support/responses.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import {
  createGallery,
  galleryWithImage,
  LEAST_COVER,
  LEAST_IMAGE,
  SMALL_PNG,
  statusOf,
  uploadImage,
} from './support/steps.ts'

const MIB = 1024 * 1024

/** More than any disk has, in MB. */
const TOO_MUCH = 999_999_999_999

/** D41: a server that cannot store responds with 507. */
describe.skipIf(!mayStartServices())('a disk with less room than --min-free (needs services of its own)', () => {
  let data: Awaited<ReturnType<typeof temporaryData>>
  let service: Service
  let api: Api
  beforeAll(async () => {
    data = await temporaryData()
  })
  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  test('rejects uploads; stored content can be read, finalized and deleted', async () => {
    service = await startService({ data: data.path })
    api = apiAt(service.baseUrl)
    const keyed = { headers: { 'idempotency-key': 'stored-before' } }
    const stored = await uploadImage(api, { include_manage_url: '1' }, keyed)
    const { gallery } = await galleryWithImage(api)
    await service.stop()
    service = await startService({ data: data.path, minFree: TOO_MUCH })
    api = apiAt(service.baseUrl)

    const refused = [
      await api.uploadImage(LEAST_IMAGE),
      await api.uploadCover(LEAST_COVER),
      await api.uploadImage(LEAST_IMAGE, { headers: { 'idempotency-key': 'another' } }),
      await api.uploadImage({ ...LEAST_IMAGE, ...gallery.fields }),
    ]
    for (const response of refused) {
      expectTextError(response, 507)
      expect(header(response, 'x-error-code')).toBe('storage_full')
    }

    // Node's fetch reports an error if a connection closes during the upload.
    for (const path of ['/images', '/upload']) {
      const form = new FormData()
      form.set('content_type', '0')
      form.set('img', new Blob([paddedPng(SMALL_PNG, 9.9 * MIB)]), 'large.png')
      expect((await fetch(`${service.baseUrl}${path}`, { method: 'POST', body: form })).status).toBe(507)
    }

    // The response does not wait for the body, because the free space does not depend on it.
    const unsent = {
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: Buffer.alloc(MIB),
      sentBytes: 0,
    }
    for (const path of ['/images', '/covers', '/upload']) {
      expect(await sendRaw(service.baseUrl, { path, ...unsent })).toBe(507)
    }

    expect(await uploadImage(api, { include_manage_url: '1' }, keyed)).toEqual(stored)
    expect((await api.follow(stored.originalUrl)).status).toBe(200)
    expect((await api.finalize(gallery.hash, gallery.uploadToken)).status).toBe(200)
    expect((await api.remove(stored.managementToken)).status).toBe(200)
    expect(await statusOf(api, stored.showUrl)).toBe('deleted')
    expect((await createGallery(api)).hash).not.toBe('')
  })
})

const mount = await smallDisk()
if (!mount) console.info('a disk that fills was not tried: only root can mount one')

describe.skipIf(!mount || !mayStartServices())('a disk of 64 MB (needs root, to mount it)', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ data: join(mount?.path ?? '', 'data'), minFree: 20 })
  })
  afterAll(async () => {
    await service.stop()
    await mount?.remove()
  })

  test('that fills rejects uploads, and accepts them again once there is room', async () => {
    const api = apiAt(service.baseUrl)
    const uploaded = async () => (await api.uploadImage(LEAST_IMAGE)).status
    const filler = join(mount?.path ?? '', 'filler')
    expect(await uploaded()).toBe(200)
    writeFileSync(filler, Buffer.alloc(50 * 1024 * 1024))
    await expect.poll(uploaded).toBe(507)
    rmSync(filler)
    await expect.poll(uploaded).toBe(200)
  })

  test('that is full to the last byte serves again once there is room, and a start says what is missing', async () => {
    const api = apiAt(service.baseUrl)
    const stored = await uploadImage(api, { include_manage_url: '1' })
    const filler = join(mount?.path ?? '', 'filler')
    fill(filler)
    expect((await api.get('/')).status).toBe(200)
    await service.stop()
    const data = join(mount?.path ?? '', 'data')
    await expect(startService({ data })).rejects.toThrow('is full: free 1 MB or more, then start again')
    // Far less than --min-free: content can be deleted, and expires.
    truncateSync(filler, statSync(filler).size - MIB)
    service = await startService({ data, minFree: 20 })
    const again = apiAt(service.baseUrl)
    expect((await again.uploadImage(LEAST_IMAGE)).status).toBe(507)
    expect((await again.remove(stored.managementToken)).status).toBe(200)
    rmSync(filler)
    await expect.poll(async () => (await again.uploadImage(LEAST_IMAGE)).status).toBe(200)
  })
})

/** Writes a file until the disk is full. */
function fill(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const bytes of [MIB, 4096]) {
      const chunk = Buffer.alloc(bytes)
      try {
        for (;;) writeSync(descriptor, chunk)
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' })
      }
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Mounts a folder on a file system of its own. Returns undefined if this process may not mount one. */
async function smallDisk(): Promise<Awaited<ReturnType<typeof temporaryData>> | undefined> {
  // Outside the folder of all tests, which the next run could not remove if this one were killed.
  const path = await mkdtemp('/tmp/tintype-disk-')
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', path])
  const remove = async () => {
    if (status === 0) spawnSync('umount', ['--lazy', path])
    await rm(path, { recursive: true, force: true })
  }
  if (status === 0) return { path, remove }
  await remove()
  return undefined
}
