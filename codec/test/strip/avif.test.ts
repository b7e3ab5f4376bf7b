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
  fullBox,
  IMAGE,
  ispe,
  join,
  type Layout,
  type MadeItem,
} from '../probe/made.ts'
import { strip } from './strip.ts'

const text = (bytes: Uint8Array) => String.fromCharCode(...bytes)

/** Each item's number, type and bytes. */
function listItems(bytes: Uint8Array): string[] {
  return [...(readItems(bytes)?.items.values() ?? [])].map(
    (item) => `${item.id} ${item.type} ${text(itemBytes(bytes, item))}`,
  )
}

const EXIF: MadeItem = { id: 7, type: 'Exif', data: textBytes('SECRET exif'), references: [['cdsc', 1]] }
const XMP: MadeItem = {
  id: 8,
  type: 'mime',
  contentType: 'application/rdf+xml',
  data: textBytes('SECRET xmp'),
  references: [['cdsc', 1]],
}
const alphaOf = (id: number, of: number, data: string): MadeItem => ({
  ...IMAGE,
  id,
  data: textBytes(data),
  properties: [ispe(), av1C(0x1c), ALPHA],
  references: [['auxl', of]],
})

test.each<[string, Layout]>([
  ['iloc version 1', {}],
  ['iloc version 0', { ilocVersion: 0 }],
  ['iloc version 2', { ilocVersion: 2 }],
  ['offsets of eight bytes', { offsetSize: 8 }],
  ['base offsets alone', { baseSize: 4, offsetSize: 0 }],
  ['items in pieces', { extentCount: 3 }],
  ['data before meta', { mdatFirst: true }],
  ['bytes of no item', { orphan: 'SECRET' }],
  ['idle boxes in meta', { more: [box('free', 'SECRET'), box('uuid', 'SECRET')] }],
  ['other boxes in meta', { more: [fullBox('dinf', 0, 0, 'kept')] }],
])('Exif and XMP items go with their bytes, whatever the layout: %s', (_, layout) => {
  const bytes = avif([IMAGE, EXIF, alphaOf(3, 1, 'its alpha'), XMP], layout)
  const stripped = strip(bytes)
  expect(text(stripped)).not.toContain('SECRET')
  expect(listItems(stripped)).toEqual(['1 av01 pixels of it', '3 av01 its alpha'])
  expect(probe(stripped)).toEqual(probe(bytes))
  expect(stripped.length).toBeLessThan(bytes.length)
})

test('items in idat keep their bytes, those of Exif go', () => {
  const bytes = avif([
    { ...IMAGE, inIdat: true },
    { ...EXIF, inIdat: true },
    { ...alphaOf(3, 1, 'its alpha'), inIdat: true },
  ])
  const stripped = strip(bytes)
  expect(text(stripped)).not.toContain('SECRET')
  expect(listItems(stripped)).toEqual(['1 av01 pixels of it', '3 av01 its alpha'])
  expect(probe(stripped)).toEqual(probe(bytes))
})

test('a grid keeps its tiles in their order', () => {
  const grid: MadeItem = {
    id: 1,
    type: 'grid',
    inIdat: true,
    data: join([0, 0, 0, 1], bytesBE(40, 2), bytesBE(16, 2)),
    properties: [ispe(40, 16)],
    references: [['dimg', 3, 2]],
  }
  const tiles = [2, 3].map((id) => ({ ...IMAGE, id, data: textBytes(`tile ${id}`) }))
  const stripped = strip(avif([grid, EXIF, ...tiles]))
  expect(probe(stripped)).toMatchObject({ grid: true, size: { width: 40, height: 16 } })
  expect(listItems(stripped).slice(1)).toEqual(['2 av01 tile 2', '3 av01 tile 3'])
  expect(readItems(stripped)?.primary.references).toEqual([{ type: 'dimg', to: [3, 2] }])
})

test('a thumbnail goes, with its alpha and its tiles', () => {
  const thumbnail: MadeItem = {
    ...IMAGE,
    id: 4,
    type: 'grid',
    data: textBytes('SECRET'),
    references: [
      ['thmb', 1],
      ['dimg', 5],
    ],
  }
  const tile: MadeItem = { ...IMAGE, id: 5, data: textBytes('SECRET') }
  const stripped = strip(avif([IMAGE, thumbnail, tile, alphaOf(6, 4, 'SECRET'), alphaOf(3, 1, 'its alpha')]))
  expect(listItems(stripped)).toEqual(['1 av01 pixels of it', '3 av01 its alpha'])
  expect(text(stripped)).not.toContain('SECRET')
})

test('a reference to what goes and to what stays keeps the latter', () => {
  const pointing: MadeItem = {
    ...alphaOf(3, 1, 'its alpha'),
    references: [
      ['auxl', 1],
      ['cdsc', 1, 7],
    ],
  }
  expect(readItems(strip(avif([IMAGE, EXIF, pointing])))?.items.get(3)?.references).toEqual([
    { type: 'auxl', to: [1] },
    { type: 'cdsc', to: [1] },
  ])
})

test('data that two items share is kept once', () => {
  const shared = avif([IMAGE, { ...IMAGE, id: 2, data: textBytes('pixels of it') }, EXIF])
  const stripped = strip(shared)
  expect(listItems(stripped)).toEqual(['1 av01 pixels of it', '2 av01 pixels of it'])
})

test('an AVIF that holds nothing to remove stays as it is', () => {
  const bytes = avif([IMAGE, alphaOf(3, 1, 'its alpha')], { baseSize: 4, offsetSize: 8 })
  expect(strip(bytes)).toBe(bytes)
})

/** Properties that describe an image (ISO/IEC 23008-12, 6.5), and idle ones. */
const DESCRIPTIONS = [
  fullBox('udes', 0, 0, 'en\0SECRET name\0SECRET description\0SECRET tags\0'),
  fullBox('altt', 0, 0, 'SECRET text\0en\0'),
  fullBox('crtm', 0, 0, 'SECRET12'),
  fullBox('mdft', 0, 0, 'SECRET12'),
  fullBox('itai', 0, 0, 'SECRET12\0'),
  box('free', 'SECRET'),
  box('uuid', 'SECRET of 16 byte'),
]

test('properties that describe the image go, and nothing refers to them', () => {
  const properties = [ispe(), ...DESCRIPTIONS, av1C()]
  const bytes = avif([{ ...IMAGE, properties }, alphaOf(3, 1, 'its alpha')])
  const stripped = strip(bytes)
  expect(text(stripped)).not.toContain('SECRET')
  expect(stripped.length).toBeLessThan(bytes.length)
  expect(listItems(stripped)).toEqual(['1 av01 pixels of it', '3 av01 its alpha'])
  expect(readItems(stripped)?.primary.properties.map(({ type }) => type)).toEqual(['ispe', 'av1C'])
  expect(probe(stripped)).toEqual(probe(bytes))
  expect(strip(stripped)).toBe(stripped)
})

test('properties that describe the image become zeros where boxes cannot be written again', () => {
  const properties = [ispe(), ...DESCRIPTIONS, av1C()]
  const bytes = avif([{ ...IMAGE, properties }, EXIF], { orphan: 'SECRET' }).subarray(0, -1)
  const stripped = strip(bytes)
  expect(stripped.length).toBe(bytes.length)
  expect(text(stripped)).not.toContain('SECRET')
  expect(probe(stripped)).toEqual(probe(bytes))
})

/** The beginning of iloc's entry of item 1: its number, construction, data reference and extent count. */
const ENTRY = join([0, 1], [0, 0], [0, 0], [0, 1])

const ofItem = (id: number) => join(new Uint8Array(4), bytesBE(1, 4), bytesBE(1, 4), bytesBE(id, 4))
test.each([
  ['holds a track', join(avif([IMAGE, EXIF]), box('moov')), 'the AVIF holds more than its items and their data'],
  [
    'is made from its Exif',
    avif([{ ...IMAGE, references: [['dimg', 7]] }, EXIF]),
    'the AVIF cannot be shown without what describes it',
  ],
  ['has its Exif in the bytes of its image', sharingBytes(), 'the AVIF cannot be shown without what describes it'],
])('an AVIF that %s is refused', (_, bytes, message) => {
  expect(() => strip(bytes)).toThrow(expect.objectContaining({ reason: 'unreadable', message }))
})

test.each([
  ['has data cut short', avif([IMAGE, XMP, EXIF], { orphan: 'SECRET' }).subarray(0, -1)],
  [
    'groups its image with its Exif',
    avif([IMAGE, EXIF, XMP], {
      orphan: 'SECRET',
      more: [box('grpl', box('altr', ofItem(7))), box('free', 'SECRET')],
    }),
  ],
  ['has an item of another file', inAnotherFile()],
])('metadata of an AVIF that %s becomes zeros, and every other byte stays', (_, bytes) => {
  const stripped = strip(bytes)
  expect(stripped.length).toBe(bytes.length)
  expect(text(stripped)).not.toContain('SECRET')
  const changed = [...bytes.keys()].filter((at) => bytes[at] !== stripped[at])
  expect(changed.length).toBeGreaterThan(0)
  expect(changed.every((at) => stripped[at] === 0)).toBe(true)
  expect(text(stripped)).toContain(text(IMAGE.data ?? expect.fail()))
})

/** Two items of the same bytes: the image and its Exif. */
function sharingBytes(): Uint8Array {
  const bytes = avif([IMAGE, EXIF], { more: [box('grpl', box('altr', ofItem(7)))] })
  const exif = findBytes(bytes, join([0, 7], [0, 0], [0, 0], [0, 1]))
  const image = findBytes(bytes, ENTRY)
  const offset = bytes.subarray(image + ENTRY.length, image + ENTRY.length + 4)
  const copy = bytes.slice()
  copy.set(offset, exif + ENTRY.length)
  return copy
}

function inAnotherFile(): Uint8Array {
  const bytes = avif([IMAGE, EXIF])
  return bytes.with(findBytes(bytes, ENTRY) + 5, 1)
}

function findBytes(bytes: Uint8Array, wanted: Uint8Array): number {
  return text(bytes).indexOf(text(wanted), text(bytes).indexOf('iloc'))
}

test('100 boxes are taken, one more is refused', () => {
  const pair = avif([IMAGE, EXIF])
  const withIdle = (count: number) => join(pair, ...Array.from({ length: count - 3 }, () => box('free')))
  expect(strip(withIdle(100))).toEqual(strip(pair))
  expect(() => strip(withIdle(101))).toThrow('the AVIF holds more than its items and their data')
})

test('a group of images alone is kept', () => {
  const bytes = avif([IMAGE, EXIF], { more: [box('grpl', box('altr', ofItem(1)))] })
  expect(text(strip(bytes))).toContain('altr')
})
