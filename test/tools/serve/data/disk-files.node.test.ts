import { createHash, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import system from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DamagedFile, DiskFiles, type FileSystem } from '../../../../tools/serve/data/disk-files.ts'

const KEY = 'images/12/12345_a.gif'
const OTHER = 'images/12/12346_b.gif'
const IMAGE = Buffer.from('an image')
const ERRORS = ['EIO', 'ENOSPC', 'EROFS', 'EMFILE']

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'disk-'))
})
afterEach(() => rmSync(data, { recursive: true }))

/**
 * A file system that records each call that changes or syncs something when it ends, and makes planned calls fail.
 * `unsynced` has the paths that were written and not synced.
 */
class RecordedFileSystem {
  calls: string[] = []
  /** Returns the error code of a call that is to fail, by its number from 0 on. */
  fail: (number: number, call: string) => string | undefined = () => undefined
  #count = 0

  async #run<Result>(call: string, work: () => Promise<Result>): Promise<Result> {
    const code = this.fail(this.#count++, call)
    if (code) throw Object.assign(new Error(`${code}: planted in ${call}`), { code })
    const result = await work()
    this.calls.push(call)
    return result
  }

  at(...paths: string[]) {
    return paths.map((path) => relative(data, path).replace(/[0-9a-f-]{36}/, 'NEW')).join(' ')
  }

  get system(): FileSystem {
    return {
      open: (path: string, flags: string) =>
        this.#run(`open ${flags} ${this.at(path)}`, async () => {
          const handle = await system.open(path, flags)
          const named = (name: string) => `${name} ${this.at(path)}`
          return {
            stat: () => this.#run(named('stat'), () => handle.stat()),
            read: (...args: [Buffer, number, number, number]) => this.#run(named('read'), () => handle.read(...args)),
            write: (bytes: Buffer, at: number) => this.#run(named('write'), () => handle.write(bytes, at)),
            datasync: () => this.#run(named('fdatasync'), () => handle.datasync()),
            sync: () => this.#run(named('fsync'), () => handle.sync()),
            // A close that fails has closed the file.
            close: () => handle.close().then(() => this.#run(named('close'), async () => {})),
          }
        }),
      link: (from: string, to: string) => this.#run(`link ${this.at(from, to)}`, () => system.link(from, to)),
      symlink: (text: string, path: string) => this.#run(`symlink ${this.at(path)}`, () => system.symlink(text, path)),
      unlink: (path: string) => this.#run(`unlink ${this.at(path)}`, () => system.unlink(path)),
      mkdir: (path: string) => this.#run(`mkdir ${this.at(path)}`, () => system.mkdir(path)),
      rmdir: (path: string) => this.#run(`rmdir ${this.at(path)}`, () => system.rmdir(path)),
    }
  }
}

/** Returns the calls to a file system from now on. */
async function opened() {
  const recorded = new RecordedFileSystem()
  const files = new DiskFiles(join(data, 'files'), recorded.system)
  await files.open()
  recorded.calls = []
  return { recorded, files }
}

const expected = (bytes: Buffer) => ({
  size: bytes.length,
  md5: createHash('md5').update(bytes).digest('hex'),
  crc32: crc32(bytes),
})

/** Creates a file as the Worker does, whose bytes are in a file, or else follow. */
async function create(files: DiskFiles, key = KEY, bytes = IMAGE, isHanded = true): Promise<boolean> {
  const name = randomUUID()
  if (!isHanded)
    return files.create(
      key,
      name,
      expected(bytes),
      (async function* () {
        yield bytes
      })(),
    )
  writeFileSync(join(data, 'files/incoming', name), bytes)
  return files.create(key, name, expected(bytes))
}

const everything = () => readdirSync(join(data, 'files'), { recursive: true, encoding: 'utf8' }).sort()
const EMPTY = ['images', 'incoming', 'previews', 'thumbs']

describe('the order of calls', () => {
  test('a file is written and synced, then linked, then its folder is synced', async () => {
    const { recorded, files } = await opened()
    expect(await create(files, KEY, IMAGE, false)).toBe(true)
    expect(recorded.calls).toEqual([
      'open wx files/incoming/NEW',
      'write files/incoming/NEW',
      'close files/incoming/NEW',
      'open r files/incoming/NEW',
      'stat files/incoming/NEW',
      'read files/incoming/NEW',
      'fdatasync files/incoming/NEW',
      'close files/incoming/NEW',
      // The folder is new, so its name is synced before it contains anything.
      'mkdir files/images/12',
      'open r files/images',
      'fsync files/images',
      'close files/images',
      `link files/incoming/NEW files/${KEY}`,
      'symlink files/images/12/.12345_a.gif',
      'open r files/images/12',
      'fsync files/images/12',
      'close files/images/12',
      'unlink files/incoming/NEW',
    ])
  })

  test('an existing file is synced before it is reported, because its own reply may have been lost', async () => {
    const { recorded, files } = await opened()
    await create(files)
    recorded.calls = []
    expect(await create(files, KEY, Buffer.from('other'))).toBe(false)
    expect(recorded.calls.slice(-4)).toEqual([
      'open r files/images/12',
      'fsync files/images/12',
      'close files/images/12',
      'unlink files/incoming/NEW',
    ])
    expect(readFileSync(join(data, 'files', KEY))).toEqual(IMAGE)
  })

  test('a deleted file is unlinked, then its folder is synced', async () => {
    const { recorded, files } = await opened()
    for (const key of [KEY, OTHER]) await create(files, key)
    recorded.calls = []
    await files.delete([KEY, 'images/13/13000_none.gif'])
    expect(recorded.calls).toEqual([
      'unlink files/images/12/.12345_a.gif',
      `unlink files/${KEY}`,
      'open r files/images/12',
      'fsync files/images/12',
      'close files/images/12',
    ])
    await files.delete([OTHER])
    expect(everything()).toEqual(EMPTY)
  })

  test('uploads at the same time share the syncs of their folder, which begin after each is linked', async () => {
    const { recorded, files } = await opened()
    const keys = Array.from({ length: 40 }, (_, at) => `images/12/${12_000 + at}_a.gif`)
    await Promise.all(keys.map((key) => create(files, key)))
    const syncs = recorded.calls.filter((call) => call === 'fsync files/images/12')
    expect(syncs.length).toBeLessThan(keys.length / 2)
    expect(recorded.calls.findLastIndex((call) => call.startsWith('symlink'))).toBeLessThan(
      recorded.calls.lastIndexOf('open r files/images/12'),
    )
    expect((await files.list({ prefix: '', after: '', limit: 100 })).files.map(({ key }) => key)).toEqual(keys)
  })

  test('a reply waits for a sync that began after its own link', async () => {
    const { recorded, files } = await opened()
    await create(files)
    const order: string[] = []
    const { promise: mayEnd, resolve: endFirst } = Promise.withResolvers<void>()
    const { promise: isBegun, resolve: begin } = Promise.withResolvers<void>()
    const real = recorded.system
    let syncs = 0
    const slow = new DiskFiles(join(data, 'files'), {
      ...real,
      open: async (path: string, flags: string) => {
        const handle = await real.open(path, flags)
        return {
          ...handle,
          sync: async () => {
            const number = ++syncs
            if (number === 2) {
              begin()
              await mayEnd
            }
            order.push(`sync ${number}`)
          },
        }
      },
    })
    // The first sync is that of the folder's own name.
    const first = create(slow, OTHER).then(() => order.push('first'))
    await isBegun
    const second = create(slow, 'images/12/12347_c.gif').then(() => order.push('second'))
    await expect.poll(() => everything().filter((name) => name.endsWith('12347_c.gif'))).toHaveLength(2)
    endFirst()
    await Promise.all([first, second])
    expect(order.filter((event) => event !== 'first')).toEqual(['sync 1', 'sync 2', 'sync 3', 'second'])
  })
})

describe.each(ERRORS)('each call fails with %s in turn', (code) => {
  test.each([
    ['bytes are handed over', true],
    ['bytes follow', false],
  ])('leaves nothing of a file, and the next upload succeeds: %s', async (_, isHanded) => {
    let failures = 0
    for (let number = 0; ; number++) {
      const { recorded, files } = await opened()
      let count = 0
      let failed = ''
      recorded.fail = (_number, call) => {
        if (count++ !== number) return undefined
        failed = call
        return code
      }
      const error = await create(files, KEY, IMAGE, isHanded).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      recorded.fail = () => undefined
      if (failed === '') break
      failures++
      // Only the cleanup of the upload itself may fail silently.
      const isTidying = /^unlink files\/(?:incoming|images\/12\/\.)/.test(failed)
      if (error === undefined) expect([failed, isTidying]).toEqual([failed, true])
      else {
        expect(error, failed).toMatchObject({ code })
        expect(await files.facts(KEY), failed).toBeUndefined()
        expect(
          everything().filter((name) => /\d+_/.test(name)),
          failed,
        ).toEqual([])
        expect(await create(files), failed).toBe(true)
      }
      expect(readFileSync(join(data, 'files', KEY))).toEqual(IMAGE)
      expect(await files.facts(KEY)).toMatchObject({ size: IMAGE.length, md5: expected(IMAGE).md5 })
      const again = new DiskFiles(join(data, 'files'))
      await again.open()
      await again.delete([KEY])
      expect(everything(), failed).toEqual(EMPTY)
    }
    expect(failures).toBeGreaterThan(isHanded ? 12 : 15)
  })

  test('a failed delete has no effect, and the next one succeeds', async () => {
    for (let number = 0; ; number++) {
      const { recorded, files } = await opened()
      await create(files)
      let count = 0
      let failed = ''
      recorded.fail = (_number, call) => {
        if (count++ !== number) return undefined
        failed = call
        return code
      }
      const error = await files.delete([KEY]).then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      recorded.fail = () => undefined
      if (failed === '') break
      // An empty folder is harmless.
      if (!failed.startsWith('rmdir')) expect(error, failed).toMatchObject({ code })
      await files.delete([KEY])
      expect(await files.facts(KEY)).toBeUndefined()
      rmSync(join(data, 'files'), { recursive: true })
    }
  })
})

test('bytes that changed during the transfer are rejected', async () => {
  const { files } = await opened()
  const name = randomUUID()
  for (const wrong of ['an imagE', 'an imag', 'an image!']) {
    writeFileSync(join(data, 'files/incoming', name), wrong)
    await expect(files.create(KEY, name, expected(IMAGE))).rejects.toThrow(DamagedFile)
    expect(everything()).toEqual(EMPTY)
  }
})

test('no key reaches anything outside the folder, or a file that is no image', async () => {
  const { files } = await opened()
  writeFileSync(join(data, 'secret'), 'x')
  await create(files)
  const keys = [
    ...['../secret', 'images/../../secret', 'images/12/../../../secret', '/etc/passwd', 'images/12', 'images/', ''],
    ...[
      'images/12/.12345_a.gif',
      'incoming/1/1_a.gif',
      'images/12/12345_a.gif\0',
      'images/12/12345_a.gif/',
      'images//1_a.gif',
    ],
    ...['images/12/12345_..%2fsecret/x', 'images/12/1_../../../secret', 'Images/12/12345_a.gif'],
  ]
  for (const key of keys) {
    expect(await files.facts(key), key).toBeUndefined()
    await files.delete([key])
    await expect(create(files, key), key).rejects.toThrow('is no key')
  }
  for (const name of ['../secret', '..', '', 'images', `../${randomUUID().slice(3)}`]) {
    await expect(files.create(OTHER, name, expected(IMAGE)), name).rejects.toThrow('no name')
  }
  expect(readFileSync(join(data, 'secret'), 'utf8')).toBe('x')
  expect(await files.facts(KEY)).toBeDefined()
})

test('a file that was added by hand has the facts of its bytes and its time', async () => {
  const { files } = await opened()
  await create(files)
  const before = await files.facts(KEY)
  const facts = join(data, 'files/images/12/.12345_a.gif')
  for (const spoil of [() => {}, () => writeFileSync(facts, 'x'), () => symlinkSync('nonsense', facts)]) {
    rmSync(facts, { force: true })
    spoil()
    expect(await files.facts(KEY)).toEqual(before)
  }
  rmSync(facts)
  expect(await files.facts(KEY)).toEqual(before)
  expect(readlinkSync(facts)).toBe(`${before?.md5}-${before?.storedMs}`)
})

test('a start removes unfinished files, and a running service those of an hour ago', async () => {
  const { files } = await opened()
  const left = () => readdirSync(join(data, 'files/incoming'))
  for (const name of ['left', '.left.1.tmp']) writeFileSync(join(data, 'files/incoming', name), 'x')
  files.removeAbandoned()
  expect(left()).toHaveLength(2)
  files.removeAbandoned(Date.now() + 3_700_000)
  expect(left()).toEqual([])
  writeFileSync(join(data, 'files/incoming/left'), 'x')
  await new DiskFiles(join(data, 'files')).open()
  expect(left()).toEqual([])
})
