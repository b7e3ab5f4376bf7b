import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteManaged } from '../../src/domain/content/management.ts'
import { createSequence } from '../../src/domain/ids/image-id.ts'
import { maintain } from '../../src/domain/maintenance/maintenance.ts'
import { parseWebhookSecret } from '../../src/domain/settings/webhook-secret.ts'
import { receiveImage } from '../../src/domain/uploads/upload.ts'
import { sendDueEvents } from '../../src/http/upload-webhook.ts'
import { signatureHeaders } from '../../src/http/webhooks.ts'
import { UPLOAD_EVENT_BACK_OFF, UPLOAD_EVENT_MAX_ATTEMPTS } from '../../src/limits.ts'
import { insertImage } from '../../src/storage/content/upload-records.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/units.ts'
import { emptyStore, logProblem, PIXEL_GIF, rows, shard, store } from '../domain/store.ts'

const NOW_MS = Date.UTC(2026, 10, 27)
const SETTINGS = { ...env, UPLOAD_WEBHOOK: 'https://operator.example/0123456789-secret' }
const nextSequenceNumber = createSequence()

/** The ids of the messages that were sent. */
let sent: (string | null)[]
let respond: (id: string | null) => number
let problems: string[]

beforeEach(async () => {
  await emptyStore()
  sent = []
  problems = []
  respond = () => 204
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (url, init) => {
    expect(String(url)).toBe(SETTINGS.UPLOAD_WEBHOOK)
    const { type } = JSON.parse(String(init?.body))
    sent.push(type)
    return new Response(null, { status: respond(type) })
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  expect(problems.join()).not.toContain('secret')
})

/** Uploads an image whose announcement has this type, so that calls can be told apart. */
async function upload(type: string) {
  return receiveImage(
    store,
    {
      file: { filename: 'a.gif', bytes: PIXEL_GIF.slice() },
      nsfw: false,
      optimizeForWeb: false,
      gallery: undefined,
      wantsManagementToken: true,
      maxThumbnailSizePx: 200,
    },
    {
      sequenceNumber: nextSequenceNumber(NOW_MS),
      nowMs: NOW_MS,
      clock: () => NOW_MS,
      logProblem,
      announce: () => JSON.stringify({ type }),
    },
  )
}

const tick = (nowMs: number) =>
  sendDueEvents(SETTINGS, store, nowMs, (what, error) => void problems.push(`${what}: ${String(error)}`))
const dueAt = async (): Promise<number | undefined> => {
  const [event] = await rows('SELECT due_at FROM upload_events')
  return event && Number(event.due_at)
}
const left = async () => (await rows('SELECT attempts FROM upload_events')).map(({ attempts }) => attempts)

test('an announcement that was not sent after the response is sent by the cron, a minute later, once', async () => {
  await upload('a')
  await tick(NOW_MS + MINUTE_MS - 1)
  expect(sent).toEqual([])
  await tick(NOW_MS + MINUTE_MS)
  await tick(NOW_MS + 2 * MINUTE_MS)
  expect([sent, await left(), problems]).toEqual([['a'], [], []])
})

test('one that fails is tried again after twice the time, and given up within two days', async () => {
  await upload('a')
  respond = () => 500
  const attemptsAtMs: number[] = []
  for (let due = await dueAt(); due !== undefined; due = await dueAt()) {
    const before = sent.length
    await tick(due - 1)
    expect(sent).toHaveLength(before)
    await tick(due)
    expect(sent).toHaveLength(before + 1)
    attemptsAtMs.push(due - NOW_MS)
  }
  expect(attemptsAtMs.slice(0, 5).map((ms) => ms / MINUTE_MS)).toEqual([1, 2, 4, 8, 16])
  expect(attemptsAtMs).toHaveLength(UPLOAD_EVENT_MAX_ATTEMPTS)
  expect(attemptsAtMs.at(-1)).toBeLessThan(48 * HOUR_MS)
  expect(problems.at(-1)).toMatch(/the upload \d+ is not announced: 14 attempts failed/)
})

test('one that fails holds no other up, and many are sent in one run', async () => {
  for (let at = 0; at < 12; at++) await upload(String(at))
  respond = (type) => (type === '3' ? 400 : 200)
  await tick(NOW_MS + MINUTE_MS)
  expect(sent.toSorted()).toEqual(Array.from({ length: 12 }, (_, at) => String(at)).toSorted())
  expect(await left()).toEqual([1])
})

test('where nothing arrives, a run ends after one batch', async () => {
  for (let at = 0; at < 12; at++) await upload(String(at))
  respond = () => 503
  await tick(NOW_MS + MINUTE_MS)
  expect(sent).toHaveLength(5)
})

test('a deleted image is not announced any more', async () => {
  const { managementToken = '' } = await upload('a')
  await deleteManaged(store, managementToken, NOW_MS)
  await maintain(store, NOW_MS, logProblem)
  expect(await left()).toEqual([])
})

test('a record that is written twice is announced once, and one that is refused not at all', async () => {
  const { image } = await upload('a')
  await insertImage(shard, image, undefined, undefined, 0, undefined, { body: '{"type":"a"}', dueAt: NOW_MS })
  await insertImage(shard, { ...image, id: image.id + 1 }, undefined, undefined, 0, undefined, {
    body: '{}',
    dueAt: NOW_MS,
  })
  expect(await left()).toEqual([0])
  await tick(NOW_MS + UPLOAD_EVENT_BACK_OFF.maxMs)
  expect(sent).toEqual(['a'])
})

test('the signature is that of the example of Standard Webhooks', async () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' }
  const secret = { WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }
  expect(await signatureHeaders(secret, message, 1_614_265_330_000)).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
  expect(await signatureHeaders({}, message, NOW_MS)).toEqual({ 'webhook-id': message.id })
})

test.each(['short', 'whsec_', `whsec_${'A'.repeat(100)}`, 'not base64 at all, but long enough'])(
  'the secret %j is refused unquoted',
  (setting) => {
    expect(() => parseWebhookSecret(setting)).toThrow(/^WEBHOOK_SECRET must be 24 to 64 bytes in base64/)
  },
)
