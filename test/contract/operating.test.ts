import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, apiAt, mayStartServices } from './support/api.ts'
import { header } from './support/client.ts'
import { readMarkdownBlocks } from './support/code-blocks.ts'
import { inDatabase } from './support/database.ts'
import { expectJson } from './support/responses.ts'
import { type Service, startService, temporaryData } from './support/service.ts'
import { LEAST_COVER, LEAST_IMAGE, uploadImage } from './support/steps.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')
const SAMPLE = /^([a-z_]+)(?:\{((?:[a-z_]+="[^"\\\n]*",?)+)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/
const ADDRESS = '203.0.113.77'
const UNKNOWN_TOKEN = 'Unknown0'.repeat(6).slice(0, 43)

describe.skipIf(!mayStartServices())('the state of the service (needs a service of its own)', () => {
  let data: Awaited<ReturnType<typeof temporaryData>>
  let service: Service
  let api: Api
  let key: string
  beforeAll(async () => {
    data = await temporaryData()
    service = await startService({ byCommand: true, data: data.path })
    api = apiAt(service.baseUrl)
    key = readFileSync(join(data.path, 'operator.key'), 'utf8').trim()
  })
  afterAll(async () => {
    await service.stop()
    await data.remove()
  })

  const scrape = () => api.get('/operator/metrics', { headers: { authorization: `Bearer ${key}` } })
  /** Returns the values by metric and labels, without the label of the isolate. */
  async function readMetrics(): Promise<Map<string, number>> {
    const samples = (await scrape()).text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(
      samples.map((line) => {
        const [, name = line, labels = '', value] = SAMPLE.exec(line) ?? []
        return [`${name} ${labels.replace(/isolate="[0-9a-f]{8}",?/, '')}`.trim(), Number(value)]
      }),
    )
  }
  /** Returns the lines of the log about requests, as JSON. */
  const requestLines = () =>
    service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{"event":"request"'))
      .map((line) => JSON.parse(line))

  test.each(['one.example', 'api.one.example', 't1.one.example', 'localhost', '127.0.0.1', 'unknown.example'])(
    '/healthz is 200 on %s, and lists all parts as working',
    async (host) => {
      const response = await api.get('/healthz', { host })
      const checks = { database: 'ok', files: 'ok', limiter: 'ok', disk: 'ok' }
      expect(expectJson(response)).toEqual({ status: 'ok', checks, shards: { 0: 'ok' } })
      expect(header(response, 'cache-control')).toBe('no-store')
      expect((await api.get('/healthz', { host, method: 'HEAD' })).status).toBe(200)
    },
  )

  test('/operator/metrics is in the text format 0.0.4: a type and a help for each metric, each series once', async () => {
    const response = await scrape()
    expect(header(response, 'content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(response.text.endsWith('\n')).toBe(true)
    const typed = new Map(
      [...response.text.matchAll(/^# TYPE (\S+) (counter|gauge|histogram)$/gm)].map(([, a, b]) => [a, b]),
    )
    const helped = [...response.text.matchAll(/^# HELP (\S+) .+\.$/gm)].map(([, name]) => name)
    expect(helped).toEqual([...typed.keys()])
    const lines = response.text
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
    expect(lines.filter((line) => !SAMPLE.test(line))).toEqual([])
    const series = lines.map((line) => line.slice(0, line.lastIndexOf(' ')))
    expect(new Set(series).size).toBe(series.length)
    const metrics = series.map((one) => one.replace(/\{.*/, ''))
    const known = (name: string) =>
      typed.has(name) || typed.get(name.replace(/_(?:bucket|sum|count)$/, '')) === 'histogram'
    expect(metrics.filter((name) => !known(name))).toEqual([])
    // All lines of a metric are consecutive.
    const families = metrics.map((name) => (typed.has(name) ? name : name.replace(/_[a-z]+$/, '')))
    const begun = families.filter((name, at) => name !== families[at - 1])
    expect(new Set(begun).size).toBe(begun.length)
  })

  test('the guide documents each metric, and no other; so do its alerts', async () => {
    const { text } = await scrape()
    const typed = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)
    const named = new Set((GUIDE.match(/tintype_[a-z_]+[a-z]/g) ?? []).map((name) => name.replace(/_bucket$/, '')))
    const unheard = [
      'tintype_uploads_total',
      'tintype_keyed_uploads_total',
      'tintype_refusals_total',
      'tintype_upload_events_total',
      'tintype_upload_hook_total',
      'tintype_storage_max_bytes',
    ]
    expect([...named].toSorted()).toEqual([...new Set([...typed, ...unheard])].toSorted())
  })

  test('the guide shows health and a line of the log as they are', async () => {
    const shown = readMarkdownBlocks(GUIDE).filter(({ language }) => language === 'json')
    const [health, line] = shown.map(({ code }) => JSON.parse(code))
    expect(expectJson(await api.get('/healthz'))).toEqual(health)
    const asked = await api.uploadImage({ ...LEAST_IMAGE, content_type: '9' })
    const ofIt = () => requestLines().find(({ request_id }) => request_id === header(asked, 'x-request-id'))
    await expect.poll(ofIt).toBeDefined()
    expect(Object.keys(ofIt())).toEqual(Object.keys(line))
  })

  test('the metrics count what happened', async () => {
    const before = await readMetrics()
    const { originalUrl } = await uploadImage(api)
    expect((await api.uploadCover(LEAST_COVER)).status).toBe(200)
    const stored = (await api.follow(originalUrl)).bytes.length
    await api.uploadImage({ ...LEAST_IMAGE, content_type: '7' })
    await api.postMultipart('/upload', {})
    await api.postUrlencoded('/report', { url: originalUrl, reason: 'other', details: 'x', contact: '' })
    const after = await readMetrics()
    const grown = (name: string) => (after.get(name) ?? Number.NaN) - (before.get(name) ?? 0)
    expect(grown('tintype_uploads_total kind="image",format="image/png"')).toBe(1)
    expect(grown('tintype_uploads_total kind="cover",format="image/png"')).toBe(1)
    expect(grown('tintype_requests_total route="/images",status="200"')).toBe(1)
    expect(grown('tintype_requests_total route="/images/:directory/:file",status="200"')).toBe(1)
    expect(grown('tintype_refusals_total code="invalid_option"')).toBe(1)
    expect(grown('tintype_refusals_total code="missing_field"')).toBe(1)
    expect(grown('tintype_stored_bytes_total')).toBeGreaterThan(2 * stored)
    expect(grown('tintype_codec_jobs_total')).toBeGreaterThanOrEqual(2)
    expect(grown('tintype_answer_seconds_count kind="upload"')).toBe(4)
    expect(grown('tintype_answer_seconds_bucket kind="upload",le="+Inf"')).toBe(4)
    expect(after.get('tintype_reports_open shard="0"')).toBe((before.get('tintype_reports_open shard="0"') ?? 0) + 1)
    for (const idle of [
      'tintype_bodies_waiting',
      'tintype_codec_waiting',
      'tintype_backlog kind="galleries",shard="0"',
    ]) {
      expect([idle, after.get(idle)]).toEqual([idle, 0])
    }
    for (const part of ['database', 'files', 'limiter', 'disk']) {
      expect(after.get(`tintype_part_works part="${part}"`)).toBe(1)
    }
    expect(after.get('tintype_disk_free_bytes')).toBeGreaterThan(1_000_000)
  })

  test('a deleted image whose files cannot be removed is in the backlog, with its age', async () => {
    inDatabase(data.path, (database) => {
      const insert = database.prepare('INSERT INTO file_cleanup (image_id, name, due_at, attempts) VALUES (?, ?, ?, ?)')
      insert.run(1, 'a.png', Date.now() - 3_600_000, 0)
    })
    const found = await readMetrics()
    expect(found.get('tintype_backlog kind="files",shard="0"')).toBe(1)
    expect(found.get('tintype_backlog_age_seconds kind="files",shard="0"')).toBeGreaterThanOrEqual(3600)
    inDatabase(data.path, (database) => database.exec('DELETE FROM file_cleanup WHERE image_id = 1'))
  })

  test('requests make no new series by their path, method, host or headers', async () => {
    await Promise.all([1, 2, 3].map((n) => askOddly(n)))
    const before = [...(await readMetrics()).keys()]
    await Promise.all(Array.from({ length: 20 }, (_, n) => askOddly(n + 10)))
    expect([...(await readMetrics()).keys()]).toEqual(before)
  })
  async function askOddly(n: number): Promise<void> {
    await api.get(`/nothing-${n}`)
    await api.get(`/show/${n}/${n}_a.png`)
    await api.get(`/gallery/Unknown${n}abcd`, { host: `h${n}.example` })
    await api.send({ method: 'PROPFIND', path: `/a${n}`, headers: { 'user-agent': `robot ${n}` } })
    await api.get(`/manage/${UNKNOWN_TOKEN.slice(3)}${String(n).padStart(3, '0')}`)
  }

  test('a logged request has one line: the pattern of its path, and nothing of its client', async () => {
    const from = { headers: { 'cf-connecting-ip': ADDRESS, 'user-agent': 'Spy/1', referer: 'https://spy.example/' } }
    const asked = [
      await api.get('/show/1/2_secret-name.png?q=secret-query', { host: 'two.example', ...from }),
      await api.uploadImage({ ...LEAST_IMAGE, content_type: '9' }, from),
      await api.get('/gallery/SecretHash00', from),
    ]
    const ids = asked.map((response) => header(response, 'x-request-id'))
    const lines = () => requestLines().filter(({ request_id }) => ids.includes(request_id))
    await expect.poll(() => lines().length).toBe(3)
    const isolate = expect.stringMatching(/^[0-9a-f]{8}$/)
    const rest = { event: 'request', isolate, host: 'everything', ms: expect.any(Number) }
    expect(lines().toSorted((a, b) => a.route.localeCompare(b.route))).toEqual([
      { ...rest, request_id: ids[2], method: 'GET', route: '/gallery/:gallery_hash', status: 404 },
      {
        ...rest,
        request_id: ids[1],
        method: 'POST',
        route: '/images',
        status: 422,
        error: 'invalid_option',
        bytes_in: expect.any(Number),
      },
      { ...rest, request_id: ids[0], method: 'GET', route: '/show/:directory/:file', status: 404 },
    ])
    for (const secret of [ADDRESS, 'Spy', 'spy.example', 'secret', 'SecretHash', key]) {
      expect(service.output()).not.toContain(secret)
    }
  })

  test('requests whose address may contain a token are not logged, nor are unknown paths', async () => {
    const { managementToken: token } = await uploadImage(api, { include_manage_url: '1' })
    const encoded = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`
    const paths = [
      `/manage/${token}`,
      `/Manage/${token}`,
      `/%6danage/${token}`,
      `/robots.txt?from=${token}`,
      `/robots.txt?from=${encoded}`,
      '/robots.txt?from=%',
      `/show/1/${token}`,
      '/oembed?url=https%3A%2F%2Fone.example%2Fmanage%2Fx',
    ]
    const asked = [await api.rename(token, 'x'), await api.remove(token)]
    for (const path of paths) asked.push(await api.get(path))
    const last = header(await api.get('/docs'), 'x-request-id')
    await expect.poll(() => requestLines().some(({ request_id }) => request_id === last)).toBe(true)
    const ids = asked.map((response) => header(response, 'x-request-id'))
    expect(requestLines().filter(({ request_id }) => ids.includes(request_id))).toEqual([])
    expect(service.output()).not.toContain(token.slice(1))
  })

  // The last test, because nothing works after it.
  test('once the database has lost its tables, /healthz is 503, and the metrics are those of the isolate', async () => {
    inDatabase(data.path, (database) => {
      for (const table of ['images', 'galleries', 'reports']) database.exec(`DROP TABLE ${table}`)
    })
    await expect.poll(async () => (await api.get('/healthz')).status).toBe(503)
    const response = await api.get('/healthz')
    expect(JSON.parse(response.text)).toEqual({
      status: 'failing',
      checks: { database: 'failing', files: 'ok', limiter: 'ok', disk: 'ok' },
      shards: { 0: 'failing' },
    })
    expect(header(response, 'retry-after')).toBe('1')
    const found = await readMetrics()
    expect(found.get('tintype_part_works part="database"')).toBe(0)
    expect(found.get('tintype_shard_works shard="0"')).toBe(0)
    expect(found.has('tintype_reports_open shard="0"')).toBe(false)
    expect(found.get('tintype_refusals_total code="invalid_option"')).toBeGreaterThan(0)
    expect(found.get('tintype_problems_total')).toBeGreaterThan(0)
  })
})
