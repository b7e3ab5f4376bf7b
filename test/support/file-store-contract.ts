import { beforeEach, describe, expect, test } from 'vitest'
import type { FileStore } from '../../src/storage/files/store.ts'

const GIF = { mediaType: 'image/gif' }
const KEY = 'images/12/12345_a.gif'

/**
 * Defines the tests that every file store must pass. `open` returns the store, which the tests empty. A store that
 * `overwrites` cannot create a file conditionally: simultaneous writes to one key overwrite each other there.
 */
export function testFileStore(name: string, open: () => FileStore, { overwrites = false } = {}): void {
  describe(name, () => {
    let files: FileStore
    beforeEach(async () => {
      files = open()
      for (;;) {
        const page = await files.list({ limit: 1000 })
        if (page.files.length > 0) await files.delete(page.files.map(({ key }) => key))
        if (page.isLast) return
      }
    })

    test('returns the bytes and facts of a file', async () => {
      const earliestMs = Date.now()
      expect(await files.create(KEY, bytesOf('image'), GIF)).toBe(true)
      const md5 = new Uint8Array(await crypto.subtle.digest('MD5', bytesOf('image')))
      const { body, ...facts } = await stored(files.read(KEY))
      expect(await new Response(body).text()).toBe('image')
      expect(facts).toMatchObject({ key: KEY, size: 5 })
      expect(facts.etag).toMatch(/^"[!#-~]+"$/)
      if (facts.md5) expect(facts.md5).toEqual(md5)
      // The clock of a service on another machine may differ.
      expect(Math.abs(facts.uploaded.getTime() - earliestMs)).toBeLessThan(3_600_000)
      expect(await files.head(KEY)).toEqual(facts)
      expect(await stored(files.read(KEY)).then(discard)).toEqual(facts)
    })

    test('has the same entity tag for the same bytes of another file only', async () => {
      for (const [key, text] of Object.entries({
        'images/1/1_a.gif': 'x',
        'images/1/2_b.gif': 'x',
        'thumbs/1/1_a.gif': 'y',
      })) {
        await files.create(key, bytesOf(text), GIF)
      }
      const tags = (await files.list({ limit: 10 })).files.map(({ etag }) => etag)
      expect(tags).toHaveLength(3)
      expect(new Set(tags).size).toBe(2)
    })

    test.for([
      [0, 1, 'i'],
      [1, 3, 'mag'],
      [4, 1, 'e'],
      [0, 5, 'image'],
    ] as const)('returns %i to %i bytes of a file', async ([offset, length, text]) => {
      await files.create(KEY, bytesOf('image'), GIF)
      const { body, size } = await stored(files.read(KEY, { offset, length }))
      expect(size).toBe(5)
      expect(await new Response(body).text()).toBe(text)
    })

    test('returns large files and their ends', async () => {
      const large = noise(10 * 1024 * 1024)
      expect(await files.create(KEY, large, GIF)).toBe(true)
      const { body } = await stored(files.read(KEY))
      expect(isSame(await bytesIn(body), large)).toBe(true)
      const length = 70_000
      const { body: end } = await stored(files.read(KEY, { offset: large.length - length, length }))
      expect(isSame(await bytesIn(end), large.subarray(-length))).toBe(true)
    })

    test('stores part of a buffer', async () => {
      await files.create(KEY, bytesOf('an image here').subarray(3, 8), GIF)
      expect(await textAt(files, KEY)).toBe('image')
    })

    test('a body may be cancelled', async () => {
      await files.create(KEY, noise(1024 * 1024), GIF)
      const { body } = await stored(files.read(KEY))
      await body.cancel()
      expect(await files.head(KEY)).toMatchObject({ size: 1024 * 1024 })
    })

    test('overwrites nothing', async () => {
      expect(await files.create(KEY, bytesOf('first'), GIF)).toBe(true)
      const before = await files.head(KEY)
      expect(await files.create(KEY, bytesOf('second'), GIF)).toBe(false)
      expect(await files.create(KEY, bytesOf('first'), GIF)).toBe(false)
      expect(await textAt(files, KEY)).toBe('first')
      expect(await files.head(KEY)).toEqual(before)
    })

    test('stores exactly one of several simultaneous files of one key, whole', async () => {
      const texts = Array.from({ length: 8 }, (_, at) => String(at).repeat(100_000))
      const created = await Promise.all(texts.map((text) => files.create(KEY, bytesOf(text), GIF)))
      const stored = texts.filter((_, at) => created[at])
      if (!overwrites) expect(stored).toHaveLength(1)
      expect(stored).toContain(await textAt(files, KEY))
    })

    test('returns undefined for a missing file, whatever its neighbours are', async () => {
      await files.create(KEY, bytesOf('image'), GIF)
      for (const key of [
        'images/12/12345_b.gif',
        'images/13/13000_a.gif',
        'images/12/1_a.gif',
        'healthz',
        'thumbs/12/12345_a.gif',
      ]) {
        expect(await files.head(key), key).toBeUndefined()
        expect(await files.read(key), key).toBeUndefined()
        expect(await files.read(key, { offset: 0, length: 1 }), key).toBeUndefined()
      }
    })

    test('deletes the given files only; missing ones are not an error', async () => {
      const keys = ['images/12/12345_a.gif', 'thumbs/12/12345_a.gif', 'images/12/12346_a.gif', 'images/7/7001_b.png']
      for (const key of keys) await files.create(key, bytesOf(key), GIF)
      await files.delete([...keys.slice(0, 2), 'images/12/1_none.gif', 'images/99/99000_none.gif'])
      expect(await keysIn(files)).toEqual([...keys.slice(2)].sort())
      expect(await files.read(KEY)).toBeUndefined()
      await files.delete([KEY])
      expect(await files.create(KEY, bytesOf('again'), GIF)).toBe(true)
      expect(await textAt(files, KEY)).toBe('again')
    })

    test('deletes a thousand files', async () => {
      const keys = Array.from({ length: 1000 }, (_, at) => `images/${at % 7}/${at + 1}_a.gif`)
      await files.create(keys[0] ?? '', bytesOf('x'), GIF)
      await files.create(keys[999] ?? '', bytesOf('x'), GIF)
      await files.delete(keys)
      expect(await keysIn(files)).toEqual([])
    })

    test('lists files in the order of their keys, in pages', async () => {
      // Sorted by their numbers they would have another order.
      const keys = [
        ...['images/0/1_a.gif', 'images/10/10000_a.gif', 'images/10/10000_b.gif', 'images/2/2000_a.gif'],
        ...['images/2/2000_a.jpg', 'images/2/2001_A.gif', 'thumbs/0/1_a.gif', 'thumbs/10/10000_a.gif'],
      ]
      for (const key of keys.toReversed()) await files.create(key, bytesOf(key), GIF)
      expect(await keysIn(files)).toEqual(keys)
      for (const limit of [1, 3, 7]) expect(await keysIn(files, { limit })).toEqual(keys)
      expect(await keysIn(files, { prefix: 'images/2/' })).toEqual(keys.slice(3, 6))
      expect(await keysIn(files, { prefix: 'images/1' })).toEqual(keys.slice(1, 3))
      expect(await keysIn(files, { prefix: 'images/2/2000' })).toEqual(keys.slice(3, 5))
      expect(await keysIn(files, { prefix: 'images/9/' })).toEqual([])
      // Between two keys, before all, and after all.
      expect(await keysIn(files, { prefix: 'images/2/', after: 'images/2/2000' })).toEqual(keys.slice(3, 6))
      expect(await keysIn(files, { prefix: 'images/2/', after: 'images/2/2000_a.gif' })).toEqual(keys.slice(4, 6))
      expect(await keysIn(files, { after: 'images/2' })).toEqual(keys.slice(3))
      expect(await keysIn(files, { after: 'a' })).toEqual(keys)
      expect(await keysIn(files, { after: 'thumbs/11' })).toEqual([])
      const [first] = (await files.list({ limit: 1 })).files
      const listed = await stored(files.head('images/0/1_a.gif'))
      expect(first).toEqual(first?.md5 ? listed : { ...listed, md5: undefined })
    })
  })
}

async function stored<File>(reading: Promise<File | undefined>): Promise<File> {
  const file = await reading
  if (file === undefined) throw new Error('there is no such file')
  return file
}

/** Returns the facts of a file, and cancels its body. */
async function discard<Facts>({ body, ...facts }: Facts & { body: ReadableStream }): Promise<Omit<Facts, 'body'>> {
  await body.cancel()
  return facts
}

async function textAt(files: FileStore, key: string): Promise<string> {
  return new Response((await stored(files.read(key))).body).text()
}

async function bytesIn(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(body).arrayBuffer())
}

async function keysIn(
  files: FileStore,
  { prefix, after, limit = 1000 }: { prefix?: string; after?: string; limit?: number } = {},
): Promise<string[]> {
  const keys: string[] = []
  for (let last = after; ; last = keys.at(-1)) {
    const page = await files.list({
      limit,
      ...(prefix === undefined ? {} : { prefix }),
      ...(last === undefined ? {} : { after: last }),
    })
    expect(page.files.length).toBeLessThanOrEqual(limit)
    keys.push(...page.files.map(({ key }) => key))
    if (page.isLast) return keys
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text))
}

function noise(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  for (let from = 0; from < length; from += 65_536) crypto.getRandomValues(bytes.subarray(from, from + 65_536))
  return bytes
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}
