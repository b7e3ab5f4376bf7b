import { bytesLE, concat } from 'tintype-codec/bytes'
import { SECOND_MS } from '../../units.ts'

/** A file in a ZIP: stored as it is, neither compressed nor encrypted. */
export interface ZipEntry {
  name: string
  /** In bytes, less than 4 GiB. */
  size: number
  /** Undefined if it is known only when the file has been read: a data descriptor follows the file then. */
  crc32: number | undefined
  modifiedAtMs: number
}

/** An entry that was written. */
export interface WrittenEntry extends ZipEntry {
  crc32: number
  /** Of its local header, in bytes from the beginning. */
  offset: number
  hasDescriptor: boolean
}

/** APPNOTE.TXT 6.3.10, 4.3.7 to 4.3.16. */
const SIGNATURES = {
  localHeader: 0x04034b50,
  descriptor: 0x08074b50,
  centralHeader: 0x02014b50,
  zip64End: 0x06064b50,
  zip64Locator: 0x07064b50,
  end: 0x06054b50,
}
const VERSION = 10
const VERSION_OF_ZIP64 = 45
const MADE_ON_UNIX = (3 << 8) | 63
/** `-rw-r--r--` of a regular file, in the upper half of the external attributes. */
const FILE_MODE = 0o100644
const FOLLOWED_BY_DESCRIPTOR = 1 << 3
/** Names are UTF-8 (appendix D). */
const NAMED_IN_UTF8 = 1 << 11
const STORED = 0
/** In a field of 32 bits: the value is in the ZIP64 extra field (4.5.3). */
const IN_ZIP64 = 0xffffffff
const ZIP64_EXTRA = 0x0001
/**
 * The extended timestamp of Info-ZIP: seconds since 1970, in UTC. The fields of the header are in a time zone that nobody
 * tells.
 */
const TIMESTAMP_EXTRA = 0x5455
const HAS_MODIFICATION_TIME = 1
const DESCRIPTOR_BYTES = 16

/** The size of a ZIP of these entries, in bytes. */
export function zipSize(entries: readonly ZipEntry[]): number {
  let size = 0
  const written = entries.map((entry): WrittenEntry => {
    const offset = size
    const hasDescriptor = entry.crc32 === undefined
    size += localHeader(entry).length + entry.size + (hasDescriptor ? DESCRIPTOR_BYTES : 0)
    return { ...entry, crc32: 0, offset, hasDescriptor }
  })
  return size + centralDirectory(written, size).length
}

/** Returns the header before a file (4.3.7). */
export function localHeader({ name, size, crc32, modifiedAtMs }: ZipEntry): Uint8Array {
  const known = crc32 !== undefined
  const extra = timestampExtra(modifiedAtMs)
  const nameBytes = new TextEncoder().encode(name)
  return concat([
    bytesLE(SIGNATURES.localHeader, 4),
    bytesLE(VERSION, 2),
    bytesLE(flagsOf(nameBytes, name, !known), 2),
    bytesLE(STORED, 2),
    dosTime(modifiedAtMs),
    bytesLE(crc32 ?? 0, 4),
    bytesLE(known ? size : 0, 4),
    bytesLE(known ? size : 0, 4),
    bytesLE(nameBytes.length, 2),
    bytesLE(extra.length, 2),
    nameBytes,
    extra,
  ])
}

/** An ASCII name, which has as many bytes as characters, reads the same in every encoding. */
function flagsOf(nameBytes: Uint8Array, name: string, hasDescriptor: boolean): number {
  return (nameBytes.length === name.length ? 0 : NAMED_IN_UTF8) | (hasDescriptor ? FOLLOWED_BY_DESCRIPTOR : 0)
}

/** Returns the descriptor after a file whose CRC-32 was not known before (4.3.9). */
export function dataDescriptor({ size }: ZipEntry, crc32: number): Uint8Array {
  return concat([bytesLE(SIGNATURES.descriptor, 4), bytesLE(crc32, 4), bytesLE(size, 4), bytesLE(size, 4)])
}

/**
 * Returns the central directory (4.3.12) and the end record (4.3.16), which follow all files, `offset` bytes from the
 * beginning.
 */
export function centralDirectory(entries: readonly WrittenEntry[], offset: number): Uint8Array {
  const headers = concat(entries.map(centralHeader))
  return concat([headers, endOfDirectory({ offset, size: headers.length, count: entries.length })])
}

function centralHeader({ name, size, crc32, modifiedAtMs, offset, hasDescriptor }: WrittenEntry): Uint8Array {
  const isFar = offset >= IN_ZIP64
  const nameBytes = new TextEncoder().encode(name)
  const extra = concat([
    ...(isFar ? [bytesLE(ZIP64_EXTRA, 2), bytesLE(8, 2), bytesLE(offset, 8)] : []),
    timestampExtra(modifiedAtMs),
  ])
  return concat([
    bytesLE(SIGNATURES.centralHeader, 4),
    bytesLE(MADE_ON_UNIX, 2),
    bytesLE(isFar ? VERSION_OF_ZIP64 : VERSION, 2),
    bytesLE(flagsOf(nameBytes, name, hasDescriptor), 2),
    bytesLE(STORED, 2),
    dosTime(modifiedAtMs),
    bytesLE(crc32, 4),
    bytesLE(size, 4),
    bytesLE(size, 4),
    bytesLE(nameBytes.length, 2),
    bytesLE(extra.length, 2),
    // No comment, on the first disk, internal attributes of binary data.
    bytesLE(0, 6),
    bytesLE(0, 2),
    bytesLE(FILE_MODE, 2),
    bytesLE(isFar ? IN_ZIP64 : offset, 4),
    nameBytes,
    extra,
  ])
}

/** The end record, with those of ZIP64 before it (4.3.14, 4.3.15) if the directory begins beyond 4 GiB. */
function endOfDirectory({ offset, size, count }: { offset: number; size: number; count: number }): Uint8Array {
  const isFar = offset >= IN_ZIP64
  const zip64 = [
    bytesLE(SIGNATURES.zip64End, 4),
    bytesLE(44, 8),
    bytesLE(MADE_ON_UNIX, 2),
    bytesLE(VERSION_OF_ZIP64, 2),
    bytesLE(0, 8),
    bytesLE(count, 8),
    bytesLE(count, 8),
    bytesLE(size, 8),
    bytesLE(offset, 8),
    bytesLE(SIGNATURES.zip64Locator, 4),
    bytesLE(0, 4),
    bytesLE(offset + size, 8),
    bytesLE(1, 4),
  ]
  return concat([
    ...(isFar ? zip64 : []),
    bytesLE(SIGNATURES.end, 4),
    bytesLE(0, 4),
    bytesLE(count, 2),
    bytesLE(count, 2),
    bytesLE(size, 4),
    bytesLE(isFar ? IN_ZIP64 : offset, 4),
    bytesLE(0, 2),
  ])
}

function timestampExtra(timeMs: number): Uint8Array {
  return concat([
    bytesLE(TIMESTAMP_EXTRA, 2),
    bytesLE(5, 2),
    bytesLE(HAS_MODIFICATION_TIME, 1),
    bytesLE(Math.floor(timeMs / SECOND_MS), 4),
  ])
}

/** Time and date of MS-DOS: years from 1980, seconds in twos. In UTC. */
function dosTime(timeMs: number): Uint8Array {
  const time = new Date(timeMs)
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  return concat([bytesLE(clock, 2), bytesLE(date, 2)])
}

/**
 * Returns the names, each once: later ones are numbered. `a.jpg` and `A.jpg` are `a.jpg` and `A-2.jpg`, because many file systems ignore case.
 */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  const lastNumbers = new Map<string, number>()
  return names.map((name) => {
    const folded = name.toLowerCase()
    let distinct = name
    let number = lastNumbers.get(folded) ?? 1
    while (taken.has(distinct.toLowerCase())) distinct = numbered(name, ++number)
    lastNumbers.set(folded, number)
    taken.add(distinct.toLowerCase())
    return distinct
  })
}

function numbered(name: string, number: number): string {
  const dot = name.lastIndexOf('.')
  return `${name.slice(0, dot)}-${number}${name.slice(dot)}`
}
