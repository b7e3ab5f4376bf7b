import { crc32 } from 'node:zlib'
import { concat, uint32LE } from 'tintype-codec/bytes'
import { expect, test } from 'vitest'

import {
  centralDirectory,
  dataDescriptor,
  distinctNames,
  localHeader,
  type WrittenEntry,
  type ZipEntry,
  zipSize,
} from '../../../src/domain/galleries/zip.ts'
import { readZip } from '../../support/zip.ts'

const NOW_MS = Date.UTC(2026, 10, 22, 13, 58, 7)
const BODIES = [new TextEncoder().encode('first'), new Uint8Array(), new TextEncoder().encode('third')]

/** Returns a ZIP of these bodies. The CRC-32 of each is known before or after its body. */
function zipOf(known: boolean): { zip: Uint8Array; entries: ZipEntry[] } {
  const entries = BODIES.map((body, index): ZipEntry => {
    return {
      name: `${index}.png`,
      size: body.length,
      crc32: known ? crc32(body) : undefined,
      modifiedAtMs: NOW_MS,
    }
  })
  const written: WrittenEntry[] = []
  let zip = new Uint8Array() as Uint8Array
  for (const [index, entry] of entries.entries()) {
    const body = BODIES[index] ?? expect.fail()
    written.push({ ...entry, crc32: crc32(body), offset: zip.length, hasDescriptor: !known })
    zip = concat([zip, localHeader(entry), body, ...(known ? [] : [dataDescriptor(entry, crc32(body))])])
  }
  return { zip: concat([zip, centralDirectory(written, zip.length)]), entries }
}

test.each([true, false])('is read as written (CRC-32 known before: %s)', (known) => {
  const { zip, entries } = zipOf(known)
  expect(zipSize(entries)).toBe(zip.length)
  expect(readZip(zip).map(({ name, bytes, modifiedAtMs }) => [name, bytes.toString(), modifiedAtMs])).toEqual([
    ['0.png', 'first', NOW_MS],
    ['1.png', '', NOW_MS],
    ['2.png', 'third', NOW_MS],
  ])
})

test('an empty list is no file', () => {
  expect(readZip(centralDirectory([], 0))).toEqual([])
})

/**
 * APPNOTE.TXT, 4.5.3, 4.3.14 and 4.3.15: offsets beyond 32 bits have 64 bits, and the fields of 32 bits are all ones.
 */
test('beyond 4 GiB it is ZIP64', () => {
  const belowLimit = { name: 'a.png', size: 2 ** 31, crc32: 1, modifiedAtMs: NOW_MS, hasDescriptor: false }
  const entries = [
    { ...belowLimit, offset: 0 },
    { ...belowLimit, offset: 2 ** 32 - 2 },
    { ...belowLimit, offset: 2 ** 32 + 5 },
  ]
  const end = 3 * 2 ** 31
  const bytes = centralDirectory(entries, end)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const sizes = [60, 60, 72]
  expect(view.getUint32(42, true)).toBe(0)
  expect(view.getUint32(60 + 42, true)).toBe(2 ** 32 - 2)
  expect(view.getUint32(120 + 42, true)).toBe(2 ** 32 - 1)
  expect([view.getUint16(120 + 51, true), view.getBigUint64(120 + 55, true)]).toEqual([1, 2n ** 32n + 5n])
  const zip64 = sizes.reduce((sum, size) => sum + size)
  expect(uint32LE(bytes, zip64)).toBe(0x06064b50)
  expect([24, 32, 40, 48].map((at) => view.getBigUint64(zip64 + at, true))).toEqual([
    3n,
    3n,
    BigInt(zip64),
    BigInt(end),
  ])
  expect(uint32LE(bytes, zip64 + 56)).toBe(0x07064b50)
  expect(view.getBigUint64(zip64 + 64, true)).toBe(BigInt(end + zip64))
  expect(uint32LE(bytes, bytes.length - 22)).toBe(0x06054b50)
  expect(uint32LE(bytes, bytes.length - 6)).toBe(2 ** 32 - 1)
})

test.each([
  [
    ['a.jpg', 'b.jpg', 'a.jpg', 'a.png', 'a.jpg'],
    ['a.jpg', 'b.jpg', 'a-2.jpg', 'a.png', 'a-3.jpg'],
  ],
  [
    ['a.jpg', 'a-2.jpg', 'a.jpg', 'a-2.jpg'],
    ['a.jpg', 'a-2.jpg', 'a-3.jpg', 'a-2-2.jpg'],
  ],
  [
    ['Å.jpg', 'å.JPG', 'A.jpg', 'a.jpg'],
    ['Å.jpg', 'å-2.JPG', 'A.jpg', 'a-2.jpg'],
  ],
])('%j are %j', (names, distinct) => {
  expect(distinctNames(names)).toEqual(distinct)
})

test('10,000 images of one name have 10,000 names', () => {
  expect(new Set(distinctNames(Array.from({ length: 10_000 }, () => 'image.jpg'))).size).toBe(10_000)
})
