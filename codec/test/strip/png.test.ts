import { expect, test } from 'vitest'
import { probe } from '../../src/probe.ts'
import { stripMetadata } from '../../src/strip.ts'
import { IDAT, IEND, ihdr, join, orientationExif, png, pngChunk } from '../probe/made.ts'

function strip(bytes: Uint8Array): Uint8Array {
  const facts = probe(bytes)
  if (!facts) throw new Error('not a picture')
  return stripMetadata(bytes, facts)
}

test.each([
  'PLTE',
  'tRNS',
  'bKGD',
  'pHYs',
  'sBIT',
  'cICP',
  'mDCV',
  'cLLI',
  'iCCP',
  'sRGB',
  'gAMA',
  'cHRM',
  'acTL',
  'fcTL',
  'fdAT',
  'NeWC',
])('a chunk %s stays', (type) => {
  const bytes = png(ihdr(), pngChunk(type, 'content'), IDAT, IDAT, IEND)
  expect(strip(bytes)).toEqual(bytes)
})

test.each(['tEXt', 'zTXt', 'iTXt', 'tIME', 'eXIf', 'dSIG', 'hIST', 'sPLT', 'oFFs', 'iDOT', 'caBX', 'prVt'])(
  'a chunk %s goes',
  (type) => {
    const dropped = pngChunk(type, 'content')
    expect(strip(png(ihdr(), dropped, IDAT, dropped, IEND))).toEqual(png(ihdr(), IDAT, IEND))
  },
)

test('what follows the end goes', () => {
  expect(strip(join(png(ihdr(), IDAT, IEND), 'more'))).toEqual(png(ihdr(), IDAT, IEND))
})

test.each([
  ['before', (exif: Uint8Array) => [ihdr(), pngChunk('gAMA', 'four'), exif, IDAT, IDAT, IEND]],
  ['after', (exif: Uint8Array) => [ihdr(), pngChunk('gAMA', 'four'), IDAT, IDAT, exif, IEND]],
])('a PNG turned by EXIF %s its pixels keeps the orientation alone', (_, chunks) => {
  const long = pngChunk('eXIf', orientationExif(8), 'MakerNote')
  const short = pngChunk('eXIf', orientationExif(8))
  expect(strip(png(...chunks(long)))).toEqual(png(ihdr(), pngChunk('gAMA', 'four'), short, IDAT, IDAT, IEND))
})

test('pixels cut short stay as they are', () => {
  const cut = IDAT.subarray(0, -6)
  expect(strip(png(ihdr(), pngChunk('tEXt', 'gone'), cut))).toEqual(png(ihdr(), cut))
})
