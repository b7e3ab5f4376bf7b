import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { below, pick, seededRandom } from '../support/random.ts'
import { apiAt, mayStartServices } from './support/api.ts'
import { inDatabase } from './support/database.ts'
import { jpeg, photo } from './support/images.ts'
import { type Fields, file, multipartBody, parts } from './support/multipart-body.ts'
import { paddedJpeg } from './support/padded-jpeg.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import { LEAST_COVER, LEAST_IMAGE } from './support/steps.ts'

/** A new one each time; TINTYPE_SEED repeats one. */
const seed = Number(process.env.TINTYPE_SEED ?? Math.floor(Math.random() * 2 ** 31))
console.info(`hanging up: TINTYPE_SEED=${seed}`)

const HOUR_MS = 3_600_000
const WHOLE = 12
const CUT = 40
const KILLED = 8
/** Storing it takes a while. */
const HEAVY_BYTES = 6_000_000

/** The minimum that is cut off a body. Fewer bytes would only cut the last delimiter. */
const TAIL_BYTES = 8

/** The counts of the operator's comparison of R2 with D1 (docs/operating.md, "Files and records"). */
interface Counted {
  files: number
  records: number
  due: number
  tooYoung: number
  findings: unknown[]
}

/** Uploads without an Idempotency-Key: "done as a whole, or cleaned up after". */
describe.skipIf(!mayStartServices())(`clients that hang up, seed ${seed} (needs services of its own)`, () => {
  const random = seededRandom(seed)
  let data: { path: string; remove: () => Promise<void> }
  let service: Service
  let large: Fields

  beforeAll(async () => {
    data = await temporaryData()
    service = await startService({ byCommand: true, data: data.path })
    large = { img: file('large.jpg', await jpeg(photo(1200, 900))), content_type: '0' }
  }, 240_000)

  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  const anyUpload = (): Buffer => {
    const [path, fields] = pick(
      [['/images', LEAST_IMAGE] as const, ['/images', large] as const, ['/covers', LEAST_COVER] as const],
      random,
    )
    return upload(path, { ...fields, optimize_for_web: pick(['0', '1'], random) })
  }

  /** Compares all files with all records. */
  async function compare(): Promise<Counted> {
    const key = (await readFile(join(data.path, 'operator.key'), 'utf8')).trim()
    const counted: Counted = { files: 0, records: 0, due: 0, tooYoung: 0, findings: [] }
    for (let after: unknown = 'files:'; after !== null; ) {
      const body = Buffer.from(JSON.stringify({ after }))
      const { text } = await apiAt(service.baseUrl).send({
        path: '/operator/reconcile',
        host: 'localhost',
        headers: { authorization: `Bearer ${key}` },
        body,
      })
      const batch = JSON.parse(text)
      counted.files += batch.files
      counted.records += batch.records
      counted.due += batch.due
      counted.tooYoung += batch.too_young
      counted.findings.push(...batch.findings)
      after = batch.next
    }
    return counted
  }

  /**
   * Sends a part of a request, waits a moment, and closes the connection by a FIN, or by an RST, which may discard sent
   * bytes.
   */
  function sendAndHangUp(bytes: Buffer, { waitMs = 0, abruptly = false } = {}): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(service.port, '127.0.0.1')
      socket.on('error', () => {})
      socket.on('close', () => resolve())
      socket.write(bytes, async () => {
        await wait(waitMs)
        if (abruptly) socket.resetAndDestroy()
        else socket.destroy()
      })
    })
  }

  test('after the last byte: the upload is whole', async () => {
    await Promise.all(Array.from({ length: WHOLE }, () => sendAndHangUp(anyUpload(), { waitMs: below(30, random) })))
    await expect.poll(async () => (await compare()).records).toBe(WHOLE)
    expect(await compare()).toEqual({
      files: filesOfRecords(data.path),
      records: WHOLE,
      due: 0,
      tooYoung: 0,
      findings: [],
    })
  })

  test('in the middle, at any byte: nothing is recorded; leftovers have an intent, and the sweep removes them', async () => {
    await Promise.all(
      Array.from({ length: CUT }, () => {
        const bytes = anyUpload()
        const cut = bytes.subarray(0, 1 + below(bytes.length - TAIL_BYTES, random))
        return sendAndHangUp(cut, { waitMs: below(30, random), abruptly: random() < 0.5 })
      }),
    )
    // Then the service is killed while it stores others.
    const heavy = upload('/images', {
      ...large,
      img: file('heavy.jpg', paddedJpeg(await jpeg(photo(60, 40)), HEAVY_BYTES)),
    })
    const others = Array.from({ length: KILLED }, () => sendAndHangUp(heavy))
    await wait(below(300, random))
    await service.kill()
    await Promise.all(others)

    service = await startService({ data: data.path })
    const { findings, tooYoung, records, files, due } = await compare()
    expect({ findings, tooYoung }).toEqual({ findings: [], tooYoung: 0 })
    expect(records).toBeGreaterThanOrEqual(WHOLE)
    expect(records).toBeLessThanOrEqual(WHOLE + KILLED)
    expect(files).toBe(filesOfRecords(data.path) + due)

    // The first sweep comes after an hour, the recheck after another.
    for (const hours of [1.5, 3]) {
      await service.stop()
      service = await startService({ data: data.path, clockOffsetMs: hours * HOUR_MS })
      await expect.poll(async () => (await compare()).due).toBe(0)
    }
    expect(await compare()).toEqual({ files: filesOfRecords(data.path), records, due: 0, tooYoung: 0, findings: [] })
    await expect.poll(() => intentsLeft(data.path)).toBe(0)
  })
})

/** Returns the bytes of an upload request. */
function upload(path: string, fields: Fields): Buffer {
  const { contentType, bytes } = multipartBody(parts(fields))
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: one.example',
    `Content-Type: ${contentType}`,
    `Content-Length: ${bytes.length}`,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes])
}

/** Returns the number of files that the recorded images have: an original, a thumbnail and, of some, a preview. */
function filesOfRecords(data: string): number {
  return inDatabase(data, (database) =>
    Number(database.prepare('SELECT 2 * count(*) + count(preview_bytes) AS n FROM images').get()?.n),
  )
}

/** Returns the number of images that the sweep has still to remove. */
function intentsLeft(data: string): number {
  return inDatabase(data, (database) => Number(database.prepare('SELECT count(*) AS n FROM file_cleanup').get()?.n))
}
