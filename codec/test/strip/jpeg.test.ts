import { expect, test } from 'vitest'
import { textBytes } from '../../src/bytes.ts'
import { probe } from '../../src/probe.ts'
import { EOI, exif, frame, join, jpeg, SCAN, SOI, segment } from '../probe/made.ts'
import { strip } from './strip.ts'

const JFIF = segment(0xe0, 'JFIF\0', [1, 2, 0, 0, 1, 0, 1, 0, 0])
const PROFILE = segment(0xe2, 'ICC_PROFILE\0', [1, 1], 'profile')
const ADOBE = segment(0xee, 'Adobe', [0, 100, 0, 0, 0, 0, 1])
const TABLE = segment(0xdb, [0], new Uint8Array(64))
const RESTARTS = segment(0xdd, [0, 1])

test.each([
  ['JFIF', JFIF],
  ['a colour profile', PROFILE],
  ['a colour profile in two parts', join(PROFILE, PROFILE)],
  ["Adobe's colour transform", ADOBE],
  ['tables', TABLE],
  ['a restart interval', RESTARTS],
])('%s stays', (_, retained) => {
  const bytes = jpeg(retained, frame(), SCAN)
  expect(strip(bytes)).toEqual(bytes)
})

test.each([
  ['upright EXIF', exif(1)],
  ['XMP', segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x/>')],
  ['IPTC', segment(0xed, 'Photoshop 3.0\0')],
  ['a comment', segment(0xfe, 'hello')],
  ['JFXX', segment(0xe0, 'JFXX\0', [0x10])],
  ['the index of further pictures', segment(0xe2, 'MPF\0')],
  ['other application data', segment(0xe5, 'maker')],
  ['APP14 of another kind', segment(0xee, 'maker')],
  ['JPG0', segment(0xf0, 'SECRET')],
  ['JPG13', segment(0xfd, 'SECRET')],
  ['JPG', segment(0xc8, 'SECRET')],
  ['fill bytes', Uint8Array.of(0xff, 0xff)],
])('%s goes', (_, dropped) => {
  expect(strip(jpeg(dropped, JFIF, frame(), SCAN, TABLE, SCAN))).toEqual(jpeg(JFIF, frame(), SCAN, TABLE, SCAN))
  expect(strip(jpeg(JFIF, frame(), dropped, SCAN, TABLE, SCAN))).toEqual(jpeg(JFIF, frame(), SCAN, TABLE, SCAN))
})

test('a comment between scans goes', () => {
  const bytes = jpeg(frame(), SCAN, segment(0xfe, 'hello'), SCAN)
  expect(strip(bytes)).toEqual(jpeg(frame(), SCAN, SCAN))
})

test('where a decoder may resume after damage, metadata after the first scan ends at a marker', () => {
  const comment = segment(0xfe, 'hello')
  expect(strip(jpeg(RESTARTS, frame(), SCAN, comment, SCAN, exif(1)))).toEqual(jpeg(RESTARTS, frame(), SCAN, SCAN))
  const damaged = jpeg(RESTARTS, frame(), SCAN, comment, [1, 2, 3], SCAN)
  expect(strip(damaged)).toEqual(damaged)
})

test('another image, or metadata, after an end that is missing goes', () => {
  const image = join(SOI, frame(), SCAN)
  expect(strip(join(image, jpeg(exif(6), frame(), SCAN)))).toEqual(join(image, EOI))
  expect(strip(join(image, segment(0xe1, 'SECRET').subarray(0, -1)))).toEqual(image)
})

test("bytes after the fields of Adobe's segment go", () => {
  const long = segment(0xee, 'Adobe', [0, 100, 0, 0, 0, 0, 1], 'SECRET')
  expect(strip(jpeg(long, frame(), SCAN))).toEqual(jpeg(ADOBE, frame(), SCAN))
})

test('what follows the end goes', () => {
  expect(strip(join(jpeg(frame(), SCAN), jpeg(frame(), SCAN)))).toEqual(jpeg(frame(), SCAN))
  expect(strip(join(jpeg(RESTARTS, frame(), SCAN), 'preview'))).toEqual(jpeg(RESTARTS, frame(), SCAN))
})

test.each([
  ['in its scan', join(SOI, frame(), SCAN)],
  ['in its scan with restarts', join(SOI, RESTARTS, frame(), SCAN)],
  ['in a segment after it', join(SOI, frame(), SCAN, TABLE.subarray(0, 20))],
])('a JPEG that ends %s keeps all of it', (_, bytes) => {
  expect(strip(bytes)).toEqual(bytes)
})

test("JFIF loses its thumbnail's pixels", () => {
  const withThumbnail = segment(0xe0, 'JFIF\0', [1, 2, 0, 0, 1, 0, 1, 2, 1], new Uint8Array(6))
  expect(strip(jpeg(withThumbnail, frame(), SCAN))).toEqual(jpeg(JFIF, frame(), SCAN))
})

test('a turned JPEG keeps nothing of EXIF but its orientation, after JFIF', () => {
  const long = segment(
    0xe1,
    'Exif\0\0II*\0',
    [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0],
    'MakerNote',
  )
  expect(strip(jpeg(long, JFIF, PROFILE, frame(), SCAN))).toEqual(jpeg(JFIF, exif(6), PROFILE, frame(), SCAN))
})

test('a JPEG that would grow stays as it is', () => {
  const short = segment(0xe1, 'Exif\0\0II*\0', [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0])
  const bytes = jpeg(short, frame(), SCAN)
  expect(probe(bytes)).toMatchObject({ orientation: 6 })
  expect(strip(bytes)).toBe(bytes)
})

test('the kind of application data is not looked for past its end', () => {
  const empty = segment(0xe0)
  expect(strip(jpeg(empty, 'JFIF\0', frame(), SCAN))).toEqual(jpeg(frame(), SCAN))
})

test('two ends are one', () => {
  expect(strip(join(jpeg(frame(), SCAN), EOI))).toEqual(jpeg(frame(), SCAN))
})

const quantizer = (destination: number, value: number) => join([destination], new Uint8Array(64).fill(value))
const huffman = (destination: number, ...values: number[]) =>
  join([destination, values.length], new Uint8Array(15), values)
const USED = [segment(0xdb, quantizer(0, 1)), segment(0xc4, huffman(0, 5), huffman(0x10, 6))]

test.each([
  ['a quantization table', segment(0xdb, quantizer(3, 9))],
  ['a quantization table of 16 bits', segment(0xdb, [0x13], new Uint8Array(128).fill(9))],
  ['a Huffman table', segment(0xc4, huffman(1, 1, 2, 3), huffman(0x13, 1))],
  ['a table that another one replaces', segment(0xdb, quantizer(0, 9))],
])('%s that no scan uses goes', (_, unused) => {
  const scan = join(segment(0xda, [1, 1, 0, 0, 63, 0]), [1, 2])
  expect(strip(jpeg(unused, ...USED, frame(), scan))).toEqual(jpeg(...USED, frame(), scan))
})

test('a segment keeps the tables that are used', () => {
  const [three, one] = [
    segment(0xdb, quantizer(2, 9), quantizer(0, 1), quantizer(3, 9)),
    segment(0xdb, quantizer(0, 1)),
  ]
  expect(strip(jpeg(three, frame(), SCAN))).toEqual(jpeg(one, frame(), SCAN))
})

test('tables of a progressive image stay where a scan of their kind names them', () => {
  const scan = (start: number, tables: number) => join(segment(0xda, [1, 1, tables, start, start, 0]), [1, 2])
  const [dc, ac] = [huffman(0, 5), huffman(0x11, 6)]
  const bytes = (tables: Uint8Array) => jpeg(segment(0xc4, tables), frame({ marker: 0xc2 }), scan(0, 0), scan(1, 1))
  expect(strip(bytes(join(dc, huffman(1, 7), ac, huffman(0x10, 8))))).toEqual(bytes(join(dc, ac)))
})

test('tables of another size than their segment stay', () => {
  const bytes = jpeg(segment(0xdb, quantizer(3, 9), [0]), frame(), SCAN)
  expect(strip(bytes)).toEqual(bytes)
})

test('what follows a profile in its segments goes', () => {
  const icc = join([0, 0, 0, 200], new Uint8Array(196).fill(7))
  const part = (number: number, ...content: Uint8Array[]) => segment(0xe2, 'ICC_PROFILE\0', [number, 2], ...content)
  const [first, second] = [icc.subarray(0, 150), icc.subarray(150)]
  const bytes = (...parts: Uint8Array[]) => jpeg(...parts, frame(), SCAN)
  const tail = textBytes('SECRET')
  expect(strip(bytes(part(2, second, tail), part(1, first)))).toEqual(bytes(part(2, second), part(1, first)))
  expect(strip(bytes(part(1, icc, tail), part(2, tail)))).toEqual(bytes(part(1, icc), part(2)))
  const twice = bytes(part(1, first), part(1, first), part(2, second))
  expect(strip(twice)).toEqual(twice)
})
