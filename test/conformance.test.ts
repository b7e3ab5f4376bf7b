import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { chapterOf } from '../tools/verify/chapters.ts'
import { startService, temporaryData } from './contract/support/service.ts'

const ROOT = join(import.meta.dirname, '..')
const SCRIPT = join(ROOT, 'tools/verify/conformance.ts')
/** Contract tests that upload in every way: alone, into galleries, as covers, with and without a token. */
const FILES = ['gallery-lifecycle', 'upload-fields', 'reports']

test.for(readdirSync(join(ROOT, 'test/contract')).filter((file) => file.endsWith('.test.ts')))(
  '%s belongs to a chapter of the report',
  (file) => {
    expect(chapterOf(file)).toBeDefined()
  },
)

describe('npm run tintype -- conformance', () => {
  test('passes against a service under names of its own, and leaves nothing there', async () => {
    const data = await temporaryData()
    const domains = ['pictures.test', 'photos.test', 'images.test']
    const service = await startService({ data: data.path, domains })
    const { code, output } = await run(
      ...['--url', service.baseUrl, '--domains', domains.join(','), '--concurrency', '1'],
      ...FILES,
    )
    await service.stop()
    expect(output).toMatch(/^All +\d+ +0 +\d+$/m)
    expect(output).toMatch(/^Deleted all that the tests made: \d+ by management token, \d+ empty galleries\.$/m)
    expect(code, output).toBe(0)
    expect(contentOf(data.path)).toEqual({ images: expect.any(Number), liveImages: 0, liveGalleries: 0, reports: 0 })
    expect(contentOf(data.path).images).toBeGreaterThan(70)
    // The first maintenance after a start removes the files of deleted galleries.
    const again = await startService({ data: data.path, domains })
    await expect.poll(() => filesIn(data.path)).toBe(0)
    await again.stop()
    await data.remove()
  })

  test.for([
    [['--url', 'nowhere'], /--url must be an address such as https:\/\/api\.example: received "nowhere"/],
    [['--url', 'ftp://a.example'], /--url must begin with http/],
    [[], /--url must name the service/],
    [['--url', 'http://127.0.0.1:9', '--concurrency', '0'], /--concurrency must be/],
    [['--url', 'http://127.0.0.1:9'], /no service responds/],
  ] as const)('%j is rejected with a sentence', async ([args, sentence]) => {
    const { code, output } = await run(...args)
    expect(output).toMatch(sentence)
    expect(code).toBe(1)
  })
})

function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, NODE_ENV: ____, ...env } = process.env
  const child = spawn(process.execPath, [SCRIPT, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}

/**
 * Returns what the database of a service holds: all images that ever existed, and the content that is still visible.
 */
function contentOf(data: string): Record<string, unknown> {
  const folder = join(data, 'd1', 'miniflare-D1DatabaseObject')
  const name = readdirSync(folder).find((file) => /^[0-9a-f]+\.sqlite$/.test(file)) ?? expect.fail('no database')
  const database = new DatabaseSync(join(folder, name), { readOnly: true })
  const count = (what: string) => database.prepare(`SELECT count(*) AS count FROM ${what}`).get()?.count
  const content = {
    images: count('images'),
    liveImages: count(`images LEFT JOIN galleries ON galleries.id = images.gallery_id
      WHERE images.deleted_at IS NULL AND galleries.deleted_at IS NULL`),
    liveGalleries: count('galleries WHERE deleted_at IS NULL'),
    reports: count('reports'),
  }
  database.close()
  return content
}

function filesIn(data: string): number {
  const names = readdirSync(join(data, 'files'), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => /^(?:images|thumbs|previews)[/\\].*[/\\][0-9]+_[^/\\]*$/.test(name)).length
}
