import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, test } from 'vitest'
import { handleRequest } from '../../../src/app.ts'
import { imagePath } from '../../../src/domain/ids/links.ts'
import { REPLICA_READS_FROM_MS } from '../../../src/limits.ts'
import { runDatabaseCalls } from '../../../src/storage/calls.ts'
import { beat } from '../../../src/storage/maintenance/heartbeat.ts'
import { MINUTE_MS } from '../../../src/units.ts'
import { madeImage, NOW_MS } from '../../domain/made-content.ts'
import { emptyStore, shard } from '../../domain/store.ts'

const BINDINGS = { ...env, PUBLIC_DOMAINS: 'd.example' }
const LATER_MS = NOW_MS + REPLICA_READS_FROM_MS + MINUTE_MS

/** The names of the calls to D1 since the last check. */
let calls: string[]

beforeEach(async () => {
  await emptyStore()
  calls = []
})

/** Sends a request at a fixed time, however long a test takes. */
async function ask(path: string, { method = 'GET', headers = {}, nowMs = LATER_MS } = {}) {
  const context = createExecutionContext()
  const bindings = {
    ...env,
    DB: runDatabaseCalls(env.DB, (name, call) => {
      calls.push(name)
      return call()
    }),
    PUBLIC_DOMAINS: 'd.example',
    CLOCK_OFFSET_MS: String(nowMs - Date.now()),
  }
  const host = path.startsWith('/thumbs') ? 't1.d.example' : 'd.example'
  const response = await handleRequest(new Request(`https://${host}${path}`, { method, headers }), bindings, context)
  const bytes = await response.bytes()
  await waitOnExecutionContext(context)
  return { status: response.status, etag: response.headers.get('ETag') ?? '', bytes }
}

test.each([
  ['the primary', NOW_MS],
  ['a replica', LATER_MS],
])('many reads of a thumbnail query D1 once: %s', async (_, nowMs) => {
  const { image } = await madeImage()
  await beat(shard, nowMs)
  const path = `/thumbs/${imagePath(image)}`
  const { etag } = await ask(path, { nowMs })
  for (let reader = 0; reader < 20; reader++) {
    expect((await ask(path, { nowMs })).status).toBe(200)
    expect((await ask(path, { nowMs, headers: { 'If-None-Match': etag } })).status).toBe(304)
    expect((await ask(path, { nowMs, method: 'HEAD' })).status).toBe(200)
  }
  expect(calls).toEqual(['D1.raw'])
})

test('after a delete here a file is 404 at once, whatever a replica returns', async () => {
  const { image, token } = await madeImage()
  await beat(shard, LATER_MS)
  const path = `/thumbs/${imagePath(image)}`
  expect((await ask(path)).status).toBe(200)
  expect((await ask(`/management/${token}/delete`, { method: 'POST' })).status).toBe(200)
  // The row as a replica has it before the delete arrives.
  await env.DB.exec(
    `UPDATE images SET deleted_at = NULL, path_digest = NULL, name = '${image.name}' WHERE id = ${image.id}`,
  )
  calls = []
  await ask(path)
  expect(calls).toEqual(['D1.raw', 'D1.raw'])
})

/** Stores a public image whose original has this many bytes. */
async function madeOriginal(bytes: number) {
  const { image } = await madeImage()
  const path = `images/${imagePath(image)}`
  await env.FILES.put(path, new Uint8Array(bytes).fill(7))
  await env.DB.exec(`UPDATE images SET bytes = ${bytes} WHERE id = ${image.id}`)
  return `/${path}`
}

const inCache = async (path: string) => (await caches.default.match(`https://img1.d.example${path}`))?.bytes()

test.each([
  ['large', 4 * 1024 * 1024],
  ['small', 1000],
])('a %s original is in the edge cache whole before its client has read it', async (_, bytes) => {
  const path = await madeOriginal(bytes)
  const context = createExecutionContext()
  const response = await handleRequest(new Request(`https://d.example${path}`), BINDINGS, context)
  await waitOnExecutionContext(context)
  expect(await inCache(path)).toHaveLength(bytes)
  expect(await response.bytes()).toHaveLength(bytes)
})

test.each([
  ['of a host that is not ours', 'https://elsewhere.example', {}],
  ['where the isolate has one', 'https://d.example', { READ_CACHE: 'on' }],
])('the edge cache is left alone %s', async (_, origin, settings) => {
  const path = await madeOriginal(1000)
  for (const method of ['GET', 'HEAD']) {
    const context = createExecutionContext()
    const response = await handleRequest(new Request(origin + path, { method }), { ...BINDINGS, ...settings }, context)
    expect(response.status).toBe(200)
    await waitOnExecutionContext(context)
  }
  expect(await inCache(path)).toBeUndefined()
})
