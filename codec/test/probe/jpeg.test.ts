import { expect, test } from 'vitest'
import { JPEG_MAX_SCANS } from '../../src/limits.ts'
import { probe } from '../../src/probe.ts'
import { bytesBE, EOI, exif, frame, join, jpeg, SCAN, SOI, segment } from './made.ts'

test('a JPEG tells its size, coding, sampling and scans', () => {
  expect(probe(jpeg(frame({ marker: 0xc2 }), SCAN, SCAN))).toEqual({
    format: 'jpeg',
    size: { width: 24, height: 16 },
    progressive: true,
    arithmetic: false,
    sampling: [
      { horizontal: 2, vertical: 2 },
      { horizontal: 1, vertical: 1 },
      { horizontal: 1, vertical: 1 },
    ],
    scans: 2,
    orientation: 1,
    animated: false,
    alpha: false,
  })
})

test.each([
  ['baseline', frame(), { progressive: false }],
  ['extended', frame({ marker: 0xc1 }), { progressive: false }],
  ['arithmetic', frame({ marker: 0xc9 }), { progressive: false, arithmetic: true }],
  ['progressive arithmetic', frame({ marker: 0xca }), { progressive: true, arithmetic: true }],
  ['gray', frame({ sampling: [0x11] }), { sampling: [{ horizontal: 1, vertical: 1 }] }],
  ['of 100 megapixels', frame({ width: 10_000, height: 10_000 }), { size: { width: 10_000, height: 10_000 } }],
])('a %s JPEG is read', (_, header, facts) => {
  expect(probe(jpeg(header, SCAN))).toMatchObject(facts)
})

test('a JPEG of four components is read', () => {
  expect(probe(jpeg(frame({ sampling: [0x11, 0x11, 0x11, 0x11] }), SCAN))).toMatchObject({ sampling: { length: 4 } })
})

test.each([
  [
    'no width',
    [frame({ width: 0 }), SCAN],
    'unreadable',
    'each side of a picture must be at least 1 pixel: received 0 x 16',
  ],
  [
    'no height',
    [frame({ height: 0 }), SCAN],
    'unreadable',
    'each side of a picture must be at least 1 pixel: received 24 x 0',
  ],
  [
    'more than 100 megapixels',
    [frame({ width: 10_001, height: 10_000 }), SCAN],
    'over_budget',
    'a picture must have at most 100 megapixels: received 10001 x 10000',
  ],
  ['12 bits', [frame({ bits: 12 }), SCAN], 'unreadable', 'a JPEG must have 8 bits a sample: received 12'],
  [
    'lossless coding',
    [frame({ marker: 0xc3 }), SCAN],
    'unreadable',
    'a JPEG must have sequential or progressive coding: received lossless coding',
  ],
  [
    'hierarchical coding',
    [frame({ marker: 0xc5 }), SCAN],
    'unreadable',
    'a JPEG must have sequential or progressive coding: received hierarchical coding',
  ],
  [
    'lossless arithmetic coding',
    [frame({ marker: 0xcb }), SCAN],
    'unreadable',
    'a JPEG must have sequential or progressive coding: received lossless coding',
  ],
  [
    'two components',
    [frame({ sampling: [17, 17] }), SCAN],
    'unreadable',
    'a JPEG must have 1, 3 or 4 components: received 2',
  ],
  [
    'a sampling factor of 0',
    [frame({ sampling: [0x01] }), SCAN],
    'unreadable',
    "a JPEG's sampling factors must be from 1 to 4: received 0 x 1",
  ],
  [
    'a sampling factor of 5',
    [frame({ sampling: [0x15] }), SCAN],
    'unreadable',
    "a JPEG's sampling factors must be from 1 to 4: received 1 x 5",
  ],
  ['its size after its scan', [SCAN, frame()], 'unreadable', 'a JPEG must give its size before its first scan'],
  ['two sizes', [frame(), frame(), SCAN], 'unreadable', 'a JPEG must give its size once'],
  ['two beginnings', [frame(), SOI, SCAN], 'unreadable', 'a JPEG must not start twice'],
  ['no scan', [frame()], 'unreadable', 'the JPEG ends before its picture begins'],
  [
    'a segment longer than the file',
    [frame(), [0xff, 0xdb, 0xff, 0xff], SCAN],
    'unreadable',
    'the JPEG ends before its picture begins',
  ],
] as const)('a JPEG with %s is refused', (_, parts, reason, message) => {
  expect(() => probe(jpeg(...parts))).toThrow(expect.objectContaining({ reason, message }))
})

test(`${JPEG_MAX_SCANS} scans are taken, one more is refused`, () => {
  const scans = (count: number) => jpeg(frame(), ...Array.from({ length: count }, () => SCAN))
  expect(probe(scans(JPEG_MAX_SCANS))).toMatchObject({ scans: JPEG_MAX_SCANS })
  expect(() => probe(scans(JPEG_MAX_SCANS + 1))).toThrow('a JPEG must have at most 100 scans: received more')
})

test('scans after the end of the image, as of an embedded preview, are not counted', () => {
  expect(probe(join(jpeg(frame(), SCAN), jpeg(frame({ width: 3 }), SCAN)))).toMatchObject({
    scans: 1,
    size: { width: 24 },
  })
})

test('a JPEG without an end is read', () => {
  expect(probe(join(SOI, frame(), SCAN))).toMatchObject({ scans: 1 })
})

test('fill bytes and stray bytes between segments are passed over', () => {
  expect(probe(jpeg([0xff, 0xff], frame(), [1, 2, 0xff], SCAN))).toMatchObject({ scans: 1 })
})

test.each([1, 2, 3, 4, 5, 6, 7, 8] as const)('orientation %i is read from EXIF', (orientation) => {
  expect(probe(jpeg(exif(orientation), frame(), SCAN))).toMatchObject({ orientation })
})

test('the first EXIF with an orientation counts', () => {
  const without = segment(0xe1, 'Exif\0\0MM\0*', [0, 0, 0, 8, 0, 0])
  expect(probe(jpeg(without, exif(6), exif(3), frame(), SCAN))).toMatchObject({ orientation: 6 })
})

test('an APP1 segment of another kind has no orientation', () => {
  expect(probe(jpeg(segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0', [6]), frame(), SCAN))).toMatchObject({
    orientation: 1,
  })
})

test.each([
  ['FF D8', SOI],
  ['FF D8 and no marker', join(SOI, [0x7f, 0xe0])],
])('%s is not the signature of a JPEG', (_, bytes) => {
  expect(probe(bytes)).toBeUndefined()
})

test('a JPEG cut anywhere before its scan is refused, anywhere later is read', () => {
  const whole = jpeg(exif(6), segment(0xdb, bytesBE(0, 65)), frame(), SCAN)
  const scanAt = whole.length - SCAN.length - EOI.length + 10
  for (let length = 3; length < scanAt; length++) {
    expect(() => probe(whole.subarray(0, length))).toThrow('the JPEG ends before its picture begins')
  }
  for (let length = scanAt; length <= whole.length; length++) {
    expect(probe(whole.subarray(0, length))).toMatchObject({ orientation: 6, scans: 1 })
  }
})

test('scans are counted wherever their markers lie', () => {
  const header = join(SOI, frame())
  for (let offset = 0; offset < 4; offset++) {
    for (let data = 0; data < 20; data++) {
      const scan = join(segment(0xda, [1, 1, 0, 0, 63, 0]), new Uint8Array(data).fill(0x7f), [0xff, 0, 0xfe])
      const file = join(header, scan, new Uint8Array(data % 7), scan, EOI)
      const moved = new Uint8Array(offset + file.length)
      moved.set(file, offset)
      expect(probe(moved.subarray(offset)), `${data} bytes at ${offset}`).toMatchObject({ scans: 2 })
    }
  }
})
