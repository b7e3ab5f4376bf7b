import { expect, test } from 'vitest'
import { textBytes } from '../../src/bytes.ts'
import { itemBytes, readItems } from '../../src/container/avif-items.ts'
import { probe } from '../../src/probe.ts'
import {
  ALPHA,
  av1C,
  avif,
  box,
  bytesBE,
  ftyp,
  fullBox,
  IMAGE,
  imir,
  irot,
  ispe,
  join,
  type Layout,
  type MadeItem,
} from './made.ts'

test('an AVIF tells its size, depth and chroma', () => {
  expect(probe(avif([IMAGE]))).toEqual({
    format: 'avif',
    size: { width: 24, height: 16 },
    bitDepth: 8,
    chroma: '4:2:0',
    grid: false,
    codedPixels: 384,
    orientation: 1,
    animated: false,
    alpha: false,
  })
})

test.each<[string, Layout]>([
  ['iloc version 0', { ilocVersion: 0 }],
  ['iloc version 2', { ilocVersion: 2 }],
  ['offsets of eight bytes', { offsetSize: 8 }],
  ['base offsets', { baseSize: 4, offsetSize: 0 }],
  ['items in pieces', { extentCount: 3 }],
  ['data before meta', { mdatFirst: true }],
])('an AVIF with %s tells the same', (_, layout) => {
  expect(probe(avif([GRID, ...TILES], layout))).toEqual(probe(avif([GRID, ...TILES])))
})

const withCoding = (third: number): MadeItem => ({ ...IMAGE, properties: [ispe(), av1C(third)] })
test.each([
  [0x0c, 8, '4:2:0'],
  [0x4c, 10, '4:2:0'],
  [0x6c, 12, '4:2:0'],
  [0x08, 8, '4:2:2'],
  [0x00, 8, '4:4:4'],
  [0x1c, 8, '4:0:0'],
] as const)('av1C with %i means %i bits and %s', (third, bitDepth, chroma) => {
  expect(probe(avif([withCoding(third)]))).toMatchObject({ bitDepth, chroma })
})

const upright = [ispe(), av1C()]
test.each([
  ['nothing', [], 1],
  ['a quarter turn anticlockwise', [irot(1)], 8],
  ['a half turn', [irot(2)], 3],
  ['three quarter turns anticlockwise', [irot(3)], 6],
  ['top and bottom exchanged', [imir(0)], 4],
  ['left and right exchanged', [imir(1)], 2],
  ['a quarter turn, then top and bottom', [irot(1), imir(0)], 5],
  ['a quarter turn, then left and right', [irot(1), imir(1)], 7],
  ['top and bottom, then a quarter turn', [imir(0), irot(1)], 7],
  ['left and right, then a quarter turn', [imir(1), irot(1)], 5],
  ['a half turn, then top and bottom', [irot(2), imir(0)], 2],
  ['three quarter turns, then left and right', [irot(3), imir(1)], 5],
])('%s is an orientation', (_, turns, orientation) => {
  expect(probe(avif([{ ...IMAGE, properties: [...upright, ...turns] }]))).toMatchObject({ orientation })
})

test('EXIF inside an AVIF does not turn it', () => {
  const exif: MadeItem = {
    id: 2,
    type: 'Exif',
    data: join([0, 0, 0, 0], 'MM\0*', [0, 0, 0, 8, 0, 1, 1, 18, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]),
  }
  expect(probe(avif([IMAGE, exif]))).toMatchObject({ orientation: 1 })
})

const alphaOf = (id: number): MadeItem => ({
  ...IMAGE,
  id: 9,
  properties: [...upright, ALPHA],
  references: [['auxl', id]],
})
const GRID: MadeItem = {
  id: 1,
  type: 'grid',
  data: join([0, 0, 0, 1], bytesBE(40, 2), bytesBE(16, 2)),
  properties: [ispe(40, 16)],
  references: [['dimg', 2, 3]],
}
const TILES: MadeItem[] = [2, 3].map((id) => ({ ...IMAGE, id }))

test.each([
  ['alpha', [IMAGE, alphaOf(1)], { alpha: true }],
  ['alpha of nothing', [IMAGE, alphaOf(5)], { alpha: false }],
  [
    'a depth map',
    [IMAGE, { ...alphaOf(1), properties: [...upright, fullBox('auxC', 0, 0, 'urn:depth\0')] }],
    { alpha: false },
  ],
  ['a grid', [GRID, ...TILES], { size: { width: 40, height: 16 }, grid: true, codedPixels: 768, alpha: false }],
  ['a grid whose tile has alpha', [GRID, ...TILES, alphaOf(3)], { alpha: true }],
  ['a grid in idat', [{ ...GRID, inIdat: true }, ...TILES], { grid: true, codedPixels: 768 }],
])('an AVIF with %s is read', (_, items, facts) => {
  expect(probe(avif(items))).toMatchObject(facts)
})

/** A sequence header of a reduced still image, as long as its frame size (AV1, 5.5.1). */
function sequenceHeader(width: number, height: number): Uint8Array {
  const bits = `000${'1'}${'1'}00000${'1111'}${'1111'}${bitsOf(width - 1)}${bitsOf(height - 1)}`.padEnd(56, '0')
  const content = (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
  return join([0x0a, content.length], content)
}
const bitsOf = (value: number) => value.toString(2).padStart(16, '0')

test('AV1 data counts as large as it says of itself', () => {
  const data = join([0x12, 0], sequenceHeader(1000, 500))
  expect(probe(avif([{ ...IMAGE, data }]))).toMatchObject({ size: { width: 24, height: 16 }, codedPixels: 500_000 })
})

test.each<[string, MadeItem[], string]>([
  ['no width', [{ ...IMAGE, properties: [ispe(0, 16), av1C()] }], 'unreadable'],
  ['no size', [{ ...IMAGE, properties: [av1C()] }], 'unreadable'],
  ['no coding', [{ ...IMAGE, properties: [ispe()] }], 'unreadable'],
  ['a canvas over 100 megapixels', [{ ...IMAGE, properties: [ispe(10_001, 10_000), av1C()] }], 'over_budget'],
  ['AV1 data over 100 megapixels', [{ ...IMAGE, data: sequenceHeader(65536, 65536) }], 'over_budget'],
  ['alpha over 100 megapixels', [IMAGE, { ...alphaOf(1), data: sequenceHeader(65536, 65536) }], 'over_budget'],
  ['a tile too few', [{ ...GRID, references: [['dimg', 2]] }, ...TILES], 'unreadable'],
  ['a tile that is not there', [{ ...GRID, references: [['dimg', 2, 7]] }, ...TILES], 'unreadable'],
  ['a grid of another size', [{ ...GRID, properties: [ispe(41, 16)] }, ...TILES], 'unreadable'],
  [
    'tiles that together have over 100 megapixels',
    [GRID, ...TILES.map((tile) => ({ ...tile, properties: [ispe(10_000, 6_000), av1C()] }))],
    'over_budget',
  ],
])('an AVIF with %s is refused', (_, items, reason) => {
  expect(() => probe(avif(items))).toThrow(expect.objectContaining({ reason }))
})

/** A sequence of this many frames, without a meta box; its first frame has this data. */
function sequence(frames: number, { moreTracks = [] as Uint8Array[], data = textBytes('frame') } = {}): Uint8Array {
  const brands = ftyp('avis', 'avif')
  const entry = box('av01', new Uint8Array(24), bytesBE(24, 2), bytesBE(16, 2), new Uint8Array(50), av1C(0x4c))
  const stsd = fullBox('stsd', 0, 0, bytesBE(1, 4), entry)
  const stsz = fullBox('stsz', 0, 0, bytesBE(0, 4), bytesBE(frames, 4), bytesBE(data.length, 4))
  const stco = fullBox('stco', 0, 0, bytesBE(1, 4), bytesBE(brands.length + 8, 4))
  return join(brands, box('mdat', data), box('moov', track('pict', stsd, stsz, stco), ...moreTracks))
}

/** The sample description of a track of this auxiliary kind. */
function auxiliary(kind: string): Uint8Array {
  const auxi = fullBox('auxi', 0, 0, `urn:mpeg:mpegB:cicp:systems:auxiliary:${kind}\0`)
  return fullBox('stsd', 0, 0, bytesBE(1, 4), box('av01', new Uint8Array(78), auxi))
}

function track(handler: string, ...table: Uint8Array[]): Uint8Array {
  const hdlr = fullBox('hdlr', 0, 0, bytesBE(0, 4), handler, new Uint8Array(13))
  return box('trak', box('mdia', hdlr, box('minf', box('stbl', ...table))))
}

test.each([
  ['one frame', sequence(1), { animated: false, size: { width: 24, height: 16 }, bitDepth: 10, alpha: false }],
  ['two frames', sequence(2), { animated: true }],
  ['a track of alpha', sequence(2, { moreTracks: [track('auxv', auxiliary('alpha'))] }), { alpha: true }],
  [
    'a track that does not say what it holds, which is alpha',
    sequence(2, { moreTracks: [track('auxv')] }),
    { alpha: true },
  ],
  ['a track of depth', sequence(2, { moreTracks: [track('auxv', auxiliary('depth'))] }), { alpha: false }],
  ['a frame larger than its box', sequence(2, { data: sequenceHeader(1000, 500) }), { codedPixels: 500_000 }],
])('a sequence of %s is read from its track', (_, bytes, facts) => {
  expect(probe(bytes)).toMatchObject(facts)
})

test('a sequence whose first frame has over 100 megapixels is refused', () => {
  expect(() => probe(sequence(2, { data: sequenceHeader(65536, 65536) }))).toThrow(
    'a picture must have at most 100 megapixels: received 4295 megapixels',
  )
})

test('1000 OBUs in an item are taken, one more is refused', () => {
  const obus = (count: number) => ({
    ...IMAGE,
    data: new Uint8Array(2 * count).map((_, i) => (i % 2 === 0 ? 0x12 : 0)),
  })
  expect(probe(avif([obus(1000)]))).toMatchObject({ codedPixels: 384 })
  expect(() => probe(avif([obus(1001)]))).toThrow('an AVIF must have at most 1000 OBUs in an item')
})

test.each([
  ['two frames', 2, true],
  ['one frame', 1, false],
])('a sequence of %s with a primary item has that item’s size', (_, frames, animated) => {
  const still = avif([{ ...IMAGE, properties: [ispe(9, 9), av1C()] }])
  const bytes = join(sequence(frames), still.subarray(ftyp('avif', 'mif1').length))
  expect(probe(bytes)).toMatchObject({ animated, size: { width: 9, height: 9 } })
})

test.each([
  ['a major brand avif', ftyp('avif'), 'unreadable'],
  ['a compatible brand avif', ftyp('mif1', 'miaf', 'avif'), 'unreadable'],
  ['a compatible brand avis', ftyp('msf1', 'avis'), 'unreadable'],
])('%s alone is a known signature that cannot be read', (_, bytes, reason) => {
  expect(() => probe(bytes)).toThrow(
    expect.objectContaining({ reason, message: 'an AVIF must have a primary item or a track' }),
  )
})

test.each([
  ['HEIC', ftyp('heic', 'mif1', 'heic')],
  ['a still of no known coding', ftyp('mif1', 'mif2')],
  ['avif as the minor version', box('ftyp', 'mif3avif')],
  ['avif across two brands', box('ftyp', 'mif1', bytesBE(0, 4), 'xxavifxx')],
  ['no ftyp first', join(box('free', 'avif'), ftyp('avif'))],
])('%s is no known signature', (_, bytes) => {
  expect(probe(bytes)).toBeUndefined()
})

/** The offset of the extents of an item in iloc of version 1, which has two. */
function extentsAt(bytes: Uint8Array, id: number): number {
  const entry = join(bytesBE(id, 2), [0, 0], [0, 0], [0, 2])
  return Buffer.from(bytes).indexOf(entry, Buffer.from(bytes).indexOf('iloc')) + entry.length
}

test('layers that are items of the same two extents are read', () => {
  const image = { ...IMAGE, data: textBytes('many pixels of it '.repeat(99)) }
  const others = [2, 3].map((id) => ({ ...IMAGE, id, data: textBytes('ab') }))
  const bytes = avif([image, ...others], { extentCount: 2 })
  const extents = bytes.slice(extentsAt(bytes, 1), extentsAt(bytes, 1) + 16)
  for (const { id } of others) bytes.set(extents, extentsAt(bytes, id))
  const data = [...(readItems(bytes)?.items.values() ?? [])].map((item) => itemBytes(bytes, item))
  expect(data).toEqual([image.data, image.data, image.data])
})

test('items whose extents together have more bytes than the file are refused', () => {
  const bytes = avif([IMAGE, { ...IMAGE, id: 2 }], { extentCount: 2 })
  const all = join(bytesBE(0, 4), bytesBE(bytes.length - 10, 4))
  for (const id of [1, 2]) bytes.set(all, extentsAt(bytes, id))
  expect(() => probe(bytes)).toThrow('an AVIF must not repeat its bytes in many items')
})
