import { createExecutionContext, createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { handleRequest } from '../../src/app.ts'
import worker from '../../src/index.ts'
import { madeImage } from '../domain/made-content.ts'
import { PIXEL_GIF, rows, storedKeys } from '../domain/store.ts'

const READ_ONLY = { ...env, PUBLIC_DOMAINS: 'd.example', READ_ONLY: 'on' }

function ask(path: string, init: RequestInit): Promise<Response> {
  return Promise.resolve(
    handleRequest(new Request(`http://d.example${path}`, init), READ_ONLY, createExecutionContext()),
  )
}

/** Returns all records and the keys of all files. */
async function contentOfStore(): Promise<unknown> {
  const tables = await rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'")
  const records = []
  for (const { name } of tables) records.push([name, await rows(`SELECT * FROM "${name}"`)])
  return { records, keys: await storedKeys() }
}

function upload(): FormData {
  const body = new FormData()
  body.set('img', new File([PIXEL_GIF], 'a.gif'))
  body.set('content_type', '0')
  return body
}

test('a read-only service refuses all changes with 503, changes nothing, and serves what it has', async () => {
  const { address, token } = await madeImage()
  const before = await contentOfStore()
  const changes: [path: string, init: RequestInit][] = [
    ['/images', { body: upload() }],
    ['/images', { body: upload(), headers: { 'Idempotency-Key': crypto.randomUUID() } }],
    ['/galleries', {}],
    [`/management/${token}/delete`, {}],
    [
      '/report',
      { body: new URLSearchParams({ url: `http://d.example/show/${address.image.path}`, reason: 'illegal' }) },
    ],
  ]
  for (const [path, init] of changes) {
    const response = await ask(path, { method: 'POST', ...init })
    expect([path, response.status, response.headers.get('Retry-After')]).toEqual([path, 503, '60'])
    if (path !== '/report') expect(await response.text()).toContain('read-only')
  }
  await worker.scheduled(createScheduledController({ scheduledTime: new Date(Date.now() + 86_400_000) }), READ_ONLY)
  expect(await contentOfStore()).toEqual(before)
  for (const kind of ['show', 'images', 'thumbs']) {
    expect((await ask(`/${kind}/${address.image.path}`, {})).status, kind).toBe(200)
  }
})
