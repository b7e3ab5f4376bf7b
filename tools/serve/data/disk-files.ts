// Files of images on a disk. A file and its name are on the disk before the put resolves (D49). A file that cannot be stored leaves nothing.

import { createHash } from 'node:crypto'
import syncSystem from 'node:fs'
import system from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { codeOf } from '../../shared/command-line.ts'
import type { Facts } from './layout.ts'
import { factsPath, formatFacts, INCOMING, incomingPath, isImageName, KINDS, pathOf } from './layout.ts'
import { readFacts } from './stored-files.ts'

/** Bytes that are read or written at once. */
const CHUNK_BYTES = 1024 * 1024
/** Age of temporary files that belong to uploads which ended: storing a file takes seconds. */
const INCOMING_LIFETIME_MS = 3_600_000

interface Handle {
  stat: () => Promise<{ size: number; mtimeMs: number }>
  read: (into: Buffer, offset: number, length: number, from: number) => Promise<{ bytesRead: number }>
  write: (bytes: Buffer, offset: number) => Promise<{ bytesWritten: number }>
  datasync: () => Promise<void>
  sync: () => Promise<void>
  close: () => Promise<void>
}

/**
 * The calls to the file system that change or sync something, as node:fs/promises has them. Tests record them, and make them fail.
 */
export interface FileSystem {
  open: (filePath: string, flags: string) => Promise<Handle>
  link: (from: string, to: string) => Promise<void>
  symlink: (text: string, filePath: string) => Promise<void>
  unlink: (filePath: string) => Promise<void>
  mkdir: (folder: string) => Promise<unknown>
  rmdir: (folder: string) => Promise<void>
}

export interface StoredFile {
  key: string
  size: number
  md5: string
  storedMs: number
}

/** The size and the digests that the sender announced. */
export interface Expected {
  size: number
  /** In hex. */
  md5: string
  crc32: number
}

/** The bytes are not those that were sent. */
export class DamagedFile extends Error {}

export class DiskFiles {
  #folder
  #fs
  #syncs: Map<string, SharedSync> = new Map()
  /** Folders whose own names are on the disk. */
  #durable: Set<string> = new Set()
  /** Files that are being stored, by their keys. */
  #storing: Map<string, Promise<unknown>> = new Map()

  constructor(folder: string, fs: FileSystem = system) {
    this.#folder = folder
    this.#fs = fs
  }

  /**
   * Makes the folders, and removes incomplete files of an earlier process. Throws a sentence if files cannot be stored here.
   */
  async open() {
    await this.#makeFolder(this.#folder)
    for (const name of [INCOMING, ...KINDS]) await this.#makeFolder(path.join(this.#folder, name))
    const incoming = path.join(this.#folder, INCOMING)
    for (const name of syncSystem.readdirSync(incoming))
      syncSystem.rmSync(path.join(incoming, name), { recursive: true })
    await this.#requireLinks()
  }

  /** Removes what was begun long ago and never stored: its Worker has died. */
  removeAbandoned(nowMs = Date.now()) {
    const incoming = path.join(this.#folder, INCOMING)
    for (const name of syncSystem.readdirSync(incoming)) {
      const filePath = path.join(incoming, name)
      const { mtimeMs = nowMs } = syncSystem.statSync(filePath, { throwIfNoEntry: false }) ?? {}
      if (nowMs - mtimeMs > INCOMING_LIFETIME_MS) syncSystem.rmSync(filePath, { force: true })
    }
  }

  /**
   * Stores a file: the one of this name among the incoming ones, which is written before where bytes are given. Returns false where
   * the key is taken. Throws where it cannot be stored, and leaves nothing.
   */
  async create(key: string, name: string, expected: Expected, bytes?: AsyncIterable<Buffer>): Promise<boolean> {
    const target = pathOf(this.#folder, key)
    const incoming = incomingPath(this.#folder, name)
    if (target === undefined || incoming === undefined)
      throw new Error(`${key} is no key of a file, or ${name} no name`)
    try {
      if (bytes) await this.#write(incoming, bytes)
      const storedMs = await this.#checkAndSync(incoming, expected)
      return await this.#inTurn(key, () => this.#link(incoming, target, { md5: expected.md5, storedMs }))
    } finally {
      // A file that is left here is removed at the next start.
      await this.#fs.unlink(incoming).catch(() => {})
    }
  }

  /** Returns the facts of a file; undefined where there is none. It reads the disk in any case, for the check of health. */
  facts(key: string): Promise<StoredFile | undefined> | StoredFile | undefined {
    const filePath = pathOf(this.#folder, key) ?? this.#folder
    const stats = syncSystem.statSync(filePath, { throwIfNoEntry: false })
    if (!stats?.isFile()) return undefined
    const facts = readFacts(filePath)
    return facts ? { key, size: stats.size, ...facts } : this.#makeFacts(key, filePath)
  }

  /** Deletes files, and their folders where these are empty then. */
  async delete(keys: readonly string[]) {
    const folders: Set<string> = new Set()
    for (const key of keys) {
      const filePath = pathOf(this.#folder, key)
      if (filePath === undefined) continue
      // In this order a complete file may remain without facts: they are computed again.
      const had = [await this.#unlink(factsPath(filePath)), await this.#unlink(filePath)]
      if (had.includes(true)) folders.add(path.dirname(filePath))
    }
    for (const folder of folders) {
      await this.#syncFolder(folder)
      this.#durable.delete(folder)
      await this.#fs.rmdir(folder).catch(() => {})
    }
  }

  /** Returns at most so many files in the order of their keys, and whether they are the last. */
  async list({ prefix, after, limit }: { prefix: string; after: string; limit: number }) {
    const files: StoredFile[] = []
    for (const key of this.#keys(prefix, after)) {
      if (files.length === limit) return { files, isLast: false }
      const file = await this.facts(key)
      if (file) files.push(file)
    }
    return { files, isLast: true }
  }

  *#keys(prefix: string, after: string) {
    /** Whether keys that begin so may be wanted. */
    const mayHold = (start: string) =>
      (start.startsWith(prefix) || prefix.startsWith(start)) && (start > after || after.startsWith(start))
    for (const kind of namesIn(this.#folder).sort()) {
      if (kind === INCOMING || !mayHold(`${kind}/`)) continue
      // With the slash, so that "1" follows "10" as in the keys.
      const starts = namesIn(path.join(this.#folder, kind)).map((directory) => `${kind}/${directory}/`)
      for (const start of starts.sort()) {
        if (!mayHold(start)) continue
        for (const name of namesIn(path.join(this.#folder, start)).sort()) {
          const key = start + name
          if (key.startsWith(prefix) && key > after && pathOf(this.#folder, key)) yield key
        }
      }
    }
  }

  async #write(filePath: string, bytes: AsyncIterable<Buffer>) {
    const handle = await this.#fs.open(filePath, 'wx')
    try {
      let chunks: Buffer[] = []
      let held = 0
      for await (const chunk of bytes) {
        chunks.push(chunk)
        held += chunk.length
        if (held < CHUNK_BYTES) continue
        await writeAll(handle, Buffer.concat(chunks))
        chunks = []
        held = 0
      }
      if (held > 0) await writeAll(handle, Buffer.concat(chunks))
    } finally {
      await handle.close()
    }
  }

  /** Compares a file with what was sent, and has it written to the disk. Returns the time at which it was written. */
  async #checkAndSync(filePath: string, expected: Expected) {
    const handle = await this.#fs.open(filePath, 'r')
    try {
      const { size, mtimeMs } = await handle.stat()
      let sum = 0
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size))
      for (let at = 0; at < size; ) {
        const { bytesRead } = await handle.read(chunk, 0, chunk.length, at)
        if (bytesRead === 0) break
        sum = crc32(chunk.subarray(0, bytesRead), sum)
        at += bytesRead
      }
      if (size !== expected.size || sum !== expected.crc32) {
        throw new DamagedFile(
          `${size} bytes arrived, with the CRC-32 ${sum}, of ${expected.size} with ${expected.crc32}`,
        )
      }
      await handle.datasync()
      return Math.floor(mtimeMs)
    } finally {
      await handle.close()
    }
  }

  async #link(incoming: string, target: string, facts: Facts) {
    const folder = path.dirname(target)
    if (!(await this.#linkInto(folder, incoming, target))) {
      // The first reply may be lost, and the next one says that the file is stored.
      await this.#syncFolder(folder)
      return false
    }
    try {
      await this.#unlink(factsPath(target))
      await this.#fs.symlink(formatFacts(facts), factsPath(target))
      await this.#syncFolder(folder)
      return true
    } catch (error) {
      for (const filePath of [factsPath(target), target]) await this.#fs.unlink(filePath).catch(() => {})
      throw error
    }
  }

  /** Links a file to its place, in a folder that is made where it is missing. Returns false where the place is taken. */
  async #linkInto(folder: string, incoming: string, target: string) {
    for (let attempt = 1; ; attempt++) {
      await this.#makeFolder(folder)
      try {
        await this.#fs.link(incoming, target)
        return true
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false
        // A delete has removed the folder, which was empty.
        if (codeOf(error) !== 'ENOENT' || attempt > 3) throw error
        this.#durable.delete(folder)
      }
    }
  }

  /** Makes a folder, in one that is there, and has its name written to the disk. */
  async #makeFolder(folder: string) {
    if (this.#durable.has(folder)) return
    await this.#fs.mkdir(folder).catch((error) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    await this.#syncFolder(path.dirname(folder))
    this.#durable.add(folder)
  }

  /** Has the names in a folder written to the disk. Simultaneous calls share one fsync. */
  #syncFolder(folder: string) {
    let shared = this.#syncs.get(folder)
    if (!shared) {
      shared = new SharedSync(
        () => this.#fsync(folder),
        () => this.#syncs.delete(folder),
      )
      this.#syncs.set(folder, shared)
    }
    return shared.sync()
  }

  async #fsync(folder: string) {
    const handle = await this.#fs.open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  /** Returns whether there was one. */
  async #unlink(filePath: string) {
    try {
      await this.#fs.unlink(filePath)
      return true
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR') throw error
      return false
    }
  }

  /** Does one after the other what concerns one key. */
  async #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#storing.get(key)
    const own = (before ?? Promise.resolve()).catch(() => {}).then(work)
    this.#storing.set(key, own)
    try {
      return await own
    } finally {
      if (this.#storing.get(key) === own) this.#storing.delete(key)
    }
  }

  /** Computes the facts of a file that has none, because it was copied here. */
  async #makeFacts(key: string, filePath: string): Promise<StoredFile | undefined> {
    const md5 = createHash('md5')
    try {
      const { size, mtimeMs } = syncSystem.statSync(filePath)
      for await (const chunk of syncSystem.createReadStream(filePath, { highWaterMark: CHUNK_BYTES })) md5.update(chunk)
      const facts = { md5: md5.digest('hex'), storedMs: Math.floor(mtimeMs) }
      // Without them it is read again the next time.
      await this.#fs.symlink(formatFacts(facts), factsPath(filePath)).catch(() => {})
      return { key, size, ...facts }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  async #requireLinks() {
    const probe = path.join(this.#folder, INCOMING, 'probe')
    try {
      await (await this.#fs.open(probe, 'w')).close()
      for (const kind of KINDS) {
        const target = path.join(this.#folder, kind, '.probe')
        await this.#unlink(target)
        await this.#fs.link(probe, target)
        await this.#unlink(target)
        await this.#fs.symlink('nowhere', target)
        await this.#unlink(target)
        await this.#syncFolder(path.dirname(target))
      }
      await this.#unlink(probe)
      await this.#syncFolder(path.dirname(probe))
    } catch (error) {
      const code = codeOf(error)
      if (code === 'EXDEV') throw new Error(`${this.#folder} must lie on one file system, with all folders in it`)
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(String(code))) throw error
      throw new Error(
        `${this.#folder} lies on a file system without hard or symbolic links: choose another folder with --data`,
      )
    }
  }
}

/** One fsync for all that ask for it before it begins. */
class SharedSync {
  #work
  #done
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined

  /** Calls `done` when nobody waits any more. */
  constructor(work: () => Promise<void>, done: () => void) {
    this.#work = work
    this.#done = done
  }

  /** Resolves after an fsync that begins from now on. */
  sync() {
    if (!this.#running) return this.#begin()
    this.#next ??= this.#running.catch(() => {}).then(() => this.#begin())
    return this.#next
  }

  #begin(): Promise<void> {
    this.#next = undefined
    const running = this.#work().finally(() => {
      if (this.#next || this.#running !== running) return
      this.#running = undefined
      this.#done()
    })
    this.#running = running
    return running
  }
}

async function writeAll(handle: Handle, bytes: Buffer) {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
}

/** The names in a folder that are not hidden; none where it is no folder. */
function namesIn(folder: string) {
  try {
    return syncSystem.readdirSync(folder).filter(isImageName)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}
