// Files copied or read with their digests.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { makeFolder } from '../../shared/durable-files.ts'

export interface Digests {
  bytes: number
  sha256: string
  md5: string
  crc32: number
}

/**
 * Reads a file or a stream, and copies it where a place is given: it is there as a whole, or not at all. Its content is on the disk then; its
 * name is when the caller has synced the folder. The umask narrows the mode of the copy.
 */
export async function readDigests(
  from: string | AsyncIterable<Uint8Array>,
  to?: string,
  mode: number = 0o600,
): Promise<Digests> {
  const sha256 = createHash('sha256')
  const md5 = createHash('md5')
  let bytes = 0
  let sum = 0
  const source = typeof from === 'string' ? createReadStream(from) : from
  async function* count(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      sha256.update(chunk)
      md5.update(chunk)
      sum = crc32(chunk, sum)
      bytes += chunk.length
      yield chunk
    }
  }
  if (to === undefined) {
    await pipeline(source, count, new Writable({ write: (_chunk, _encoding, done) => done() }))
  } else {
    makeFolder(path.dirname(to))
    const begun = `${to}.part`
    await pipeline(source, count, createWriteStream(begun, { flush: true, mode }))
    await rename(begun, to)
  }
  return { bytes, sha256: sha256.digest('hex'), md5: md5.digest('hex'), crc32: sum }
}
