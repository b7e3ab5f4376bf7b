import { expect, test } from 'vitest'
import { probe } from '../../src/probe.ts'
import {
  anmf,
  box,
  bytesBE,
  exif,
  frame,
  ftyp,
  fullBox,
  gif,
  gifFrame,
  ihdr,
  join,
  png,
  pngChunk,
  SCAN,
  SOI,
  vp8x,
  webp,
} from './made.ts'

const FILE_BYTES = 10 << 20

/** A beginning, and then the same bytes over and over, 10 MiB of them. */
function repeated(start: Uint8Array, unit: Uint8Array, count = Math.floor((FILE_BYTES - start.length) / unit.length)) {
  const bytes = new Uint8Array(start.length + count * unit.length)
  bytes.set(start)
  for (let i = 0; i < count; i++) bytes.set(unit, start.length + i * unit.length)
  return bytes
}

/** A meta box of these boxes, with a primary item 1. */
function withMeta(...boxes: Uint8Array[]): Uint8Array {
  const infe = fullBox('infe', 2, 0, bytesBE(1, 2), [0, 0], 'av01\0')
  const iinf = fullBox('iinf', 0, 0, bytesBE(1, 2), infe)
  return join(ftyp('avif'), fullBox('meta', 0, 0, fullBox('pitm', 0, 0, bytesBE(1, 2)), iinf, ...boxes))
}

const infes = (count: number) =>
  Array.from({ length: count }, (_, i) => fullBox('infe', 2, 0, bytesBE(i + 1, 2), [0, 0], 'av01\0'))

/**
 * Files that cost a careless reader minutes or gigabytes. Every one is read or refused after one pass over its bytes, or over as
 * many boxes, items and extents as the limits allow. A reader that is worse than linear hangs here.
 */
test.each<[string, () => Uint8Array, string | object]>([
  [
    '20,000 scans',
    () => repeated(join(SOI, frame()), SCAN, 20_000),
    'a JPEG must have at most 100 scans: received more',
  ],
  ['a scan of fill bytes', () => repeated(join(SOI, frame(), SCAN), Uint8Array.of(0xff)), { scans: 1 }],
  ['a scan of stuffed zeros', () => repeated(join(SOI, frame(), SCAN), Uint8Array.of(0xff, 0)), { scans: 1 }],
  [
    'a JPEG of EXIF blocks',
    () => repeated(SOI, exif(1)),
    'a picture must have at most 100000 segments or chunks: received more',
  ],
  [
    'a JPEG of empty segments',
    () => repeated(SOI, Uint8Array.of(0xff, 0xe1, 0, 2)),
    'a picture must have at most 100000 segments or chunks: received more',
  ],
  [
    'a PNG of empty chunks',
    () => repeated(png(ihdr()), pngChunk('tEXt')),
    'a picture must have at most 100000 segments or chunks: received more',
  ],
  [
    'a GIF of one-byte blocks',
    () => repeated(gif(24, 16, gifFrame(0, 0, 24, 16)).subarray(0, -2), Uint8Array.of(1, 0x2c)),
    { frames: 1 },
  ],
  ['a GIF of frames', () => repeated(gif(1, 1).subarray(0, -1), gifFrame(0, 0, 1, 1)), { animated: true }],
  [
    'a WebP of empty frames',
    () => webp(repeated(vp8x(2), anmf().fill(0, 4, 8).subarray(0, 8))),
    'a picture must have at most 100000 segments or chunks: received more',
  ],
  [
    'an AVIF of empty boxes',
    () => repeated(ftyp('avif'), box('free')),
    'an AVIF must have at most 10000 boxes in a row',
  ],
  [
    'a box with a size of 2^64 - 1',
    () => join(ftyp('avif'), bytesBE(1, 4), 'mdat', new Uint8Array(8).fill(255)),
    'an AVIF must have a primary item or a track',
  ],
  [
    '4,097 items',
    () =>
      join(
        ftyp('avif'),
        fullBox('meta', 0, 0, fullBox('pitm', 0, 0, [0, 1]), fullBox('iinf', 0, 0, [0, 0], ...infes(4098))),
      ),
    'an AVIF must have at most 4096 items: received more',
  ],
  [
    '4 billion items in iloc',
    () => withMeta(fullBox('iloc', 2, 0, [0, 0], new Uint8Array(4).fill(255))),
    'an AVIF must have at most 4096 items: received more',
  ],
  [
    'extents that take no byte',
    () =>
      withMeta(
        fullBox('iloc', 1, 0, [0, 0], bytesBE(4096, 2), repeated(join(), join([0, 1, 0, 0, 0, 0, 255, 255]), 4096)),
      ),
    'an AVIF must have at most 16384 extents: received more',
  ],
  [
    '4 billion associations',
    () => withMeta(box('iprp', fullBox('ipma', 0, 0, new Uint8Array(4).fill(255)))),
    'an AVIF must have at most 4096 items: received more',
  ],
  [
    '65,535 references from each item',
    () => withMeta(fullBox('iref', 0, 0, box('dimg', [0, 1, 255, 255], new Uint8Array(2 * 65_535)))),
    'an AVIF must have at most 16384 references: received more',
  ],
  [
    'a reference count past its box',
    () => withMeta(fullBox('iref', 0, 0, box('dimg', [0, 1, 255, 255]))),
    "the AVIF's dimg box is cut short",
  ],
])('%s cost one pass', (_, make, expected) => {
  const bytes = make()
  if (typeof expected === 'string') expect(() => probe(bytes)).toThrow(expected)
  else expect(probe(bytes)).toMatchObject(expected)
})
