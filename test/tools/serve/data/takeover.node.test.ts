import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DiskFiles } from '../../../../tools/serve/data/disk-files.ts'
import { findBucket } from '../../../../tools/serve/data/stored-data.ts'
import { openFilesOnDisk } from '../../../../tools/serve/data/stored-files.ts'
import { STEPS, takeOverFiles } from '../../../../tools/serve/data/takeover.ts'
import { keepShards, readShards } from '../../../../tools/shared/shards.ts'

const KEYS = [
  ...['images/10/10000_a.gif', 'images/10/10001_b.png', 'images/2/2000_a.jpg'],
  ...['thumbs/10/10000_a.gif', 'thumbs/10/10001_b.png', 'thumbs/2/2000_a.jpg'],
]

let work: string
/** A data folder as earlier versions left it. */
let old: string
/** Its files as R2 described them. */
let described: { key: string; size: number; md5: string; storedMs: number }[]

beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'takeover-'))
  old = await dataOf('old', KEYS)
})
afterAll(() => rmSync(work, { recursive: true }))

/** Makes a data folder whose bucket contains these files. */
async function dataOf(name: string, keys: readonly string[]): Promise<string> {
  const data = join(work, name)
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      resourcePersistencePath: data,
      cf: false,
      telemetry: { enabled: false },
      workers: [{ name: 'old', modules: true, script: 'export default {}', r2Buckets: ['FILES'] }],
    }),
  )
  const bucket = await miniflare.getR2Bucket('FILES')
  for (const key of keys) await bucket.put(key, `the bytes of ${key}`)
  const { objects } = await bucket.list()
  described = objects.map(({ key, size, etag, uploaded }) => ({ key, size, md5: etag, storedMs: uploaded.getTime() }))
  await miniflare.dispose()
  return data
}

function copyOf(data: string): string {
  const copy = mkdtempSync(join(work, 'copy-'))
  cpSync(data, copy, { recursive: true })
  return copy
}

async function listed(data: string) {
  const files = new DiskFiles(join(data, 'files'))
  await files.open()
  return (await files.list({ prefix: '', after: '', limit: 100 })).files
}

test('every file has its path and its facts, and nothing of the old layout is left', async () => {
  const data = copyOf(old)
  const lines: string[] = []
  await takeOverFiles(data, (line) => lines.push(line))
  expect(lines).toEqual([`taking over ${KEYS.length} files`])
  expect(described.map(({ key }) => key)).toEqual(KEYS)
  expect(await listed(data)).toEqual(described)
  expect(readdirSync(data).filter((name) => name.startsWith('r2'))).toEqual([])
  await takeOverFiles(data, (line) => lines.push(line))
  expect(lines).toHaveLength(1)
})

describe.each([
  ['before', false],
  ['after', true],
])('interrupted %s each of its steps', (_, isDone) => {
  test('the next start continues it, and the old files exist until the new ones are synced', async () => {
    for (let number = 0; ; number++) {
      const data = copyOf(old)
      let left = number
      let cut = ''
      const steps = Object.fromEntries(
        Object.entries(STEPS).map(([name, step]) => [
          name,
          (...paths: [string, string]) => {
            const isCut = left-- === 0
            if (!isCut || isDone) step(...paths)
            if (!isCut) return
            cut = name
            throw new Error('cut off')
          },
        ]),
      )
      await takeOverFiles(data, () => {}, { ...STEPS, ...steps }).catch(() => {})
      if (cut === '') {
        expect(number).toBeGreaterThan(3 * KEYS.length)
        return
      }
      if (existsSync(join(data, 'r2'))) expect(findBucket(data)).toBeDefined()
      await takeOverFiles(data, () => {})
      expect(await listed(data), `${cut}, step ${number}`).toEqual(described)
      expect(readdirSync(data).filter((name) => name.startsWith('r2'))).toEqual([])
      rmSync(data, { recursive: true })
    }
  })
})

test('the old files are removed after all folders are synced', async () => {
  const data = copyOf(old)
  const calls: string[] = []
  const steps = Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [
      name,
      (...paths: [string, string]) => {
        calls.push(`${name} ${paths.map((path) => path.replace(`${data}/`, '').replace(data, '.')).join(' ')}`)
        step(...paths)
      },
    ]),
  )
  await takeOverFiles(data, () => {}, { ...STEPS, ...steps })
  expect(calls.slice(-4)).toEqual(['rename r2 r2.taken', 'syncFolder .', 'remove r2.taken', 'syncFolder .'])
  for (const folder of ['images/10', 'images/2', 'thumbs/10', 'thumbs/2']) {
    const links = calls.findLastIndex((call) => call.startsWith('symlink') && call.includes(`files/${folder}/`))
    expect(calls.lastIndexOf(`syncFolder files/${folder}`), folder).toBeGreaterThan(links)
  }
  const syncs = calls.filter((call) => call.startsWith('syncFile'))
  expect(syncs).toHaveLength(KEYS.length)
})

test('files that are no images are moved aside, and lost ones are reported', async () => {
  const data = await dataOf('foreign', [...KEYS, 'notes/of the operator.txt'])
  const files = openFilesOnDisk(data)
  rmSync(files.find(KEYS[0] ?? '')?.filePath ?? '')
  files.close()
  const lines: string[] = []
  await takeOverFiles(data, (line) => lines.push(line))
  expect(lines.join('\n')).toMatch(/lost before this start[\s\S]*not of images: they are left in .*r2\.foreign/)
  expect(readdirSync(data)).toContain('r2.foreign')
  expect(readdirSync(data)).not.toContain('r2')
})

test('a folder without uploads is also taken over', async () => {
  const data = await dataOf('empty', [])
  await takeOverFiles(data, () => {})
  expect(readdirSync(data).filter((name) => name.startsWith('r2'))).toEqual([])
  expect(await listed(data)).toEqual([])
})

test('earlier versions stop at the number of shards, which this one stores elsewhere', () => {
  const data = mkdtempSync(join(work, 'shards-'))
  writeFileSync(join(data, 'shards.json'), '{"shards":3}\n')
  expect(readShards(data)).toBe(3)
  keepShards(data, 3)
  expect(readShards(data)).toBe(3)
  // As they read it.
  expect(() => JSON.parse(readFileSync(join(data, 'shards.json'), 'utf8'))).toThrow(
    '"newer Tintype needed" is not valid JSON',
  )
  writeFileSync(join(data, 'layout.json'), '{"layout":3,"shards":3}\n')
  expect(() => readShards(data)).toThrow('has the layout 3, of a newer version')
})
