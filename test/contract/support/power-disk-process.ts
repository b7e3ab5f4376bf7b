// The simulated disk of the power cut tests, as a process of its own, because a program that waits for a disk cannot be
// that disk. It serves a file by FUSE, for a loop device. As in a drive with a volatile write cache, the next flush
// makes a write stable. Until then the write may be lost, whole or by sectors, in any order.
//
// FUSE's messages are those of linux/fuse.h, version 7.31:
// https://github.com/torvalds/linux/blob/master/include/uapi/linux/fuse.h
import { spawn } from 'node:child_process'
import { closeSync, openSync, read, readSync, writeSync } from 'node:fs'
import { seededRandom } from '../../support/random.ts'

const BLOCK_BYTES = 4096
/** Drives promise that sectors are atomic. */
const SECTOR_BYTES = 512
const IN_HEADER_BYTES = 40
const OUT_HEADER_BYTES = 16
const MAX_WRITE_BYTES = 128 * 1024
const READ_BYTES = MAX_WRITE_BYTES + 4096
const ROOT_NODE = 1n
const FILE_MODE = 0o100600
const ENOSYS = 38

const OPCODE = {
  forget: 2,
  getattr: 3,
  setattr: 4,
  open: 14,
  read: 15,
  write: 16,
  statfs: 17,
  release: 18,
  fsync: 20,
  flush: 25,
  init: 26,
  interrupt: 36,
  destroy: 38,
  batchForget: 42,
} as const

/** Blocks that are not zero, by number. Blocks are immutable, so that disk images share them. */
type Blocks = Map<number, Buffer>

/** Writes since the last flush that survive a cut: none, all, or random sectors. */
export type Survival = 'none' | 'all' | 'some'

/** Requests of the test to the disk. */
export type DiskCall =
  | { call: 'load'; file: string; bytes: number }
  | { call: 'attach'; image: number; target: string }
  | { call: 'holdAfter'; requests: number }
  | { call: 'requests' }
  | { call: 'resume' }
  | { call: 'cut'; survival: Survival; seed: number }
  | { call: 'drop'; image: number }

/** Messages of the disk: the result of a call, or the event that it starts to hold requests. */
export type DiskMessage = { id: number; result: number } | { id: number; error: string } | { event: 'held' }

const images = new Map<number, { blocks: Blocks; bytes: number }>()
let nextImage = 0

function addImage(blocks: Blocks, bytes: number): number {
  images.set(nextImage, { blocks, bytes })
  return nextImage++
}

/** The disk that is attached now. Earlier ones are served until they are unmounted. */
class AttachedDisk {
  readonly #bytes: number
  /** The blocks at the last flush. */
  readonly #stable: Blocks
  /** The blocks that reads return. */
  readonly #current: Blocks
  #unflushed: { offset: number; data: Buffer }[] = []
  /** The number of writes and flushes so far. */
  requests = 0
  #heldFrom = Number.POSITIVE_INFINITY
  #held: (() => void)[] = []

  constructor(image: { blocks: Blocks; bytes: number }) {
    this.#bytes = image.bytes
    this.#stable = new Map(image.blocks)
    this.#current = new Map(image.blocks)
  }

  holdAfter(requests: number): void {
    this.#heldFrom = this.requests + requests
  }

  resume(): void {
    this.#heldFrom = Number.POSITIVE_INFINITY
    for (const serve of this.#held.splice(0)) serve()
  }

  /** Returns the disk image that a power cut would leave now. */
  cut(survival: Survival, seed: number): number {
    const blocks = new Map(this.#stable)
    const random = seededRandom(seed)
    // From almost none to almost all.
    const share = survival === 'all' ? 1 : survival === 'none' ? 0 : random()
    for (const { offset, data } of this.#unflushed) {
      // Half of the writes survive or are lost as a whole.
      const isTorn = random() < 0.5
      const survives = random() < share
      for (let at = 0; at < data.length; at += SECTOR_BYTES) {
        if (isTorn ? random() < share : survives) patch(blocks, offset + at, data.subarray(at, at + SECTOR_BYTES))
      }
    }
    return addImage(blocks, this.#bytes)
  }

  /** Serves one request by `reply`, now or after the hold. */
  serve(request: Buffer, reply: (body: Buffer | number) => void): void {
    const opcode = request.readUInt32LE(4)
    const isWrite = opcode === OPCODE.write || opcode === OPCODE.fsync
    if (isWrite && ++this.requests > this.#heldFrom) {
      if (this.#held.length === 0) say({ event: 'held' })
      const copy = Buffer.from(request)
      this.#held.push(() => reply(this.#respond(opcode, copy)))
    } else reply(this.#respond(opcode, request))
  }

  /** Returns the body of the response, or the number of an error. */
  #respond(opcode: number, request: Buffer): Buffer | number {
    const body = request.subarray(IN_HEADER_BYTES)
    switch (opcode) {
      case OPCODE.init:
        return initResponse()
      case OPCODE.getattr:
      case OPCODE.setattr:
        return this.#attributes()
      case OPCODE.open:
        return openResponse()
      case OPCODE.read:
        return this.#read(Number(body.readBigUInt64LE(8)), body.readUInt32LE(16))
      case OPCODE.write:
        return this.#write(Number(body.readBigUInt64LE(8)), body.subarray(40, 40 + body.readUInt32LE(16)))
      case OPCODE.fsync:
        this.#flush()
        return Buffer.alloc(0)
      case OPCODE.statfs:
        return Buffer.alloc(80)
      case OPCODE.release:
      case OPCODE.flush:
      case OPCODE.destroy:
        return Buffer.alloc(0)
      default:
        return ENOSYS
    }
  }

  #attributes(): Buffer {
    const body = Buffer.alloc(104)
    body.writeBigUInt64LE(ROOT_NODE, 16)
    body.writeBigUInt64LE(BigInt(this.#bytes), 24)
    body.writeUInt32LE(FILE_MODE, 76)
    body.writeUInt32LE(1, 80)
    body.writeUInt32LE(BLOCK_BYTES, 96)
    return body
  }

  #read(offset: number, size: number): Buffer {
    const bytes = Buffer.alloc(Math.max(0, Math.min(size, this.#bytes - offset)))
    for (const { number, from, to, at } of blocksOf(offset, bytes.length)) {
      this.#current.get(number)?.copy(bytes, at, from, to)
    }
    return bytes
  }

  #write(offset: number, data: Buffer): Buffer {
    const copy = Buffer.from(data)
    patch(this.#current, offset, copy)
    this.#unflushed.push({ offset, data: copy })
    const body = Buffer.alloc(8)
    body.writeUInt32LE(data.length, 0)
    return body
  }

  #flush(): void {
    for (const { offset, data } of this.#unflushed) {
      for (const { number } of blocksOf(offset, data.length)) {
        const block = this.#current.get(number)
        if (block) this.#stable.set(number, block)
      }
    }
    this.#unflushed = []
  }
}

/** Yields the blocks that contain these bytes: each block's number, its bytes, and their offset. */
function* blocksOf(offset: number, length: number) {
  for (let at = 0; at < length; ) {
    const from = (offset + at) % BLOCK_BYTES
    const to = Math.min(BLOCK_BYTES, from + length - at)
    yield { number: Math.floor((offset + at) / BLOCK_BYTES), from, to, at }
    at += to - from
  }
}

function patch(blocks: Blocks, offset: number, data: Buffer): void {
  for (const { number, from, to, at } of blocksOf(offset, data.length)) {
    const block = Buffer.alloc(BLOCK_BYTES)
    blocks.get(number)?.copy(block)
    data.copy(block, from, at, at + to - from)
    blocks.set(number, block)
  }
}

function initResponse(): Buffer {
  const body = Buffer.alloc(64)
  body.writeUInt32LE(7, 0)
  body.writeUInt32LE(31, 4)
  const [BIG_WRITES, MAX_PAGES] = [1 << 5, 1 << 22]
  body.writeUInt32LE(BIG_WRITES | MAX_PAGES, 12)
  body.writeUInt16LE(16, 16)
  body.writeUInt16LE(12, 18)
  body.writeUInt32LE(MAX_WRITE_BYTES, 20)
  body.writeUInt32LE(1, 24)
  body.writeUInt16LE(MAX_WRITE_BYTES / 4096, 28)
  return body
}

function openResponse(): Buffer {
  const body = Buffer.alloc(16)
  const DIRECT_IO = 1
  body.writeUInt32LE(DIRECT_IO, 8)
  return body
}

let attached: AttachedDisk | undefined

/** Serves a disk image as a file until it is unmounted. Resolves when it is usable. */
async function attach(image: number, target: string): Promise<number> {
  const found = images.get(image)
  if (!found) throw new Error(`there is no image ${image}`)
  const disk = new AttachedDisk(found)
  const fuse = openSync('/dev/fuse', 'r+')
  const options = `fd=3,rootmode=100000,user_id=0,group_id=0,max_read=${MAX_WRITE_BYTES}`
  const mounting = spawn('mount', ['-i', '-t', 'fuse', '-o', options, 'power-disk', target], {
    stdio: ['ignore', 'ignore', 'inherit', fuse],
  })
  serveAll(fuse, disk)
  const code = await new Promise((resolve) => mounting.once('exit', resolve))
  if (code !== 0) throw new Error(`FUSE cannot be mounted: mount ended with ${code}`)
  attached = disk
  return 0
}

function serveAll(fuse: number, disk: AttachedDisk): void {
  const buffer = Buffer.alloc(READ_BYTES)
  const next = () =>
    read(fuse, buffer, 0, READ_BYTES, null, (error, length) => {
      // Not mounted yet, or no longer.
      if (error?.code === 'EPERM') return setTimeout(next, 1)
      if (error?.code === 'ENODEV') return closeSync(fuse)
      if (error && error.code !== 'EINTR' && error.code !== 'ENOENT' && error.code !== 'EAGAIN') throw error
      if (!error) serveOne(fuse, disk, buffer.subarray(0, length))
      return next()
    })
  next()
}

const WITHOUT_RESPONSE: readonly number[] = [OPCODE.forget, OPCODE.batchForget, OPCODE.interrupt]

function serveOne(fuse: number, disk: AttachedDisk, request: Buffer): void {
  if (WITHOUT_RESPONSE.includes(request.readUInt32LE(4))) return
  const unique = request.readBigUInt64LE(8)
  disk.serve(request, (body) => {
    const header = Buffer.alloc(OUT_HEADER_BYTES)
    const isError = typeof body === 'number'
    header.writeUInt32LE(OUT_HEADER_BYTES + (isError ? 0 : body.length), 0)
    header.writeInt32LE(isError ? -body : 0, 4)
    header.writeBigUInt64LE(unique, 8)
    writeSync(fuse, isError ? header : Buffer.concat([header, body]))
  })
}

/** Reads a file system from a file. */
function load(file: string, bytes: number): number {
  const blocks: Blocks = new Map()
  const input = openSync(file, 'r')
  const chunk = Buffer.alloc(1024 * 1024)
  const zeros = Buffer.alloc(BLOCK_BYTES)
  for (let offset = 0; offset < bytes; offset += chunk.length) {
    const length = readSync(input, chunk, 0, chunk.length, offset)
    for (let at = 0; at < length; at += BLOCK_BYTES) {
      const block = chunk.subarray(at, at + BLOCK_BYTES)
      if (!block.equals(zeros)) blocks.set((offset + at) / BLOCK_BYTES, Buffer.from(block))
    }
  }
  closeSync(input)
  return addImage(blocks, bytes)
}

async function carryOut(call: DiskCall): Promise<number> {
  if (call.call === 'load') return load(call.file, call.bytes)
  if (call.call === 'attach') return attach(call.image, call.target)
  if (call.call === 'drop') return Number(images.delete(call.image))
  if (!attached) throw new Error('no disk is attached')
  if (call.call === 'holdAfter') attached.holdAfter(call.requests)
  if (call.call === 'resume') attached.resume()
  if (call.call === 'cut') return attached.cut(call.survival, call.seed)
  return attached.requests
}

function say(message: DiskMessage): void {
  process.send?.(message)
}

process.on('message', (message: DiskCall & { id: number }) => {
  carryOut(message).then(
    (result) => say({ id: message.id, result }),
    (error: unknown) => say({ id: message.id, error: String(error) }),
  )
})
// The parent process has ended.
process.on('disconnect', () => process.exit())
