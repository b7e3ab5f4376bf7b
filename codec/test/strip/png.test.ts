import { deflateSync, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pngChunks } from '../../src/container/png-chunks.ts'
import { IDAT, IEND, ihdr, join, orientationExif, png, pngChunk } from '../probe/made.ts'
import { strip } from './strip.ts'

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

test('damaged chunks that decoders ignore go, so that they do not take effect', () => {
  const damaged = (chunk: Uint8Array) => chunk.with(-1, (chunk.at(-1) ?? 0) ^ 1)
  const chunks = [
    damaged(pngChunk('iCCP', 'name\0\0profile')),
    damaged(pngChunk('gAMA', 'four')),
    damaged(pngChunk('eXIf', orientationExif(8))),
  ]
  expect(strip(png(ihdr(), ...chunks, IDAT, IEND))).toEqual(png(ihdr(), IDAT, IEND))
})

test('what follows the end goes', () => {
  expect(strip(join(png(ihdr(), IDAT, IEND), 'more'))).toEqual(png(ihdr(), IDAT, IEND))
})

test('a PNG turned by EXIF before its pixels keeps the orientation alone, of one after them nothing', () => {
  const long = pngChunk('eXIf', orientationExif(8), 'MakerNote')
  const short = pngChunk('eXIf', orientationExif(8))
  const gamma = pngChunk('gAMA', 'four')
  expect(strip(png(ihdr(), gamma, long, IDAT, IDAT, IEND))).toEqual(png(ihdr(), gamma, short, IDAT, IDAT, IEND))
  expect(strip(png(ihdr(), gamma, IDAT, IDAT, long, IEND))).toEqual(png(ihdr(), gamma, IDAT, IDAT, IEND))
})

test('a profile loses its name', () => {
  const named = pngChunk('iCCP', 'SECRET\0\0profile')
  expect(strip(png(ihdr(), named, IDAT, IEND))).toEqual(png(ihdr(), pngChunk('iCCP', 'ICC\0\0profile'), IDAT, IEND))
})

test('pixels cut short stay as they are', () => {
  const cut = IDAT.subarray(0, -6)
  expect(strip(png(ihdr(), pngChunk('tEXt', 'gone'), cut))).toEqual(png(ihdr(), cut))
})

test('what follows the pixels in their chunks goes, however they are divided', () => {
  const pixels = deflateSync(Uint8Array.of(0, 1, 2, 3))
  const hidden = join(pixels, 'SECRET')
  const whole = png(ihdr(), pngChunk('IDAT', pixels), IEND)
  expect(strip(png(ihdr(), pngChunk('IDAT', hidden), IEND))).toEqual(whole)
  expect(strip(png(ihdr(), pngChunk('IDAT', pixels), pngChunk('IDAT', 'SECRET'), IEND))).toEqual(whole)
  const [start, rest] = [pixels.subarray(0, 5), pixels.subarray(5)]
  expect(
    strip(png(ihdr(), pngChunk('IDAT', start), pngChunk('IDAT', rest, 'SECRET'), pngChunk('IDAT', 'too'), IEND)),
  ).toEqual(png(ihdr(), pngChunk('IDAT', start), pngChunk('IDAT', rest), IEND))
})

test.each([
  ['gray of 1 bit', { width: 9, height: 2, depth: 1, colourType: 0 }, 2 * 3],
  ['palette of 4 bits', { width: 3, height: 2, depth: 4, colourType: 3 }, 2 * 3],
  ['RGB', { width: 2, height: 3 }, 3 * 7],
  ['gray and alpha of 16 bits', { width: 2, height: 1, depth: 16, colourType: 4 }, 9],
  ['RGBA, interlaced', { width: 3, height: 3, colourType: 6, rest: [0, 0, 1] }, 5 + 5 + 9 + 5 + 5 + 13],
  ['gray of 1 bit, interlaced', { width: 1, height: 5, depth: 1, colourType: 0, rest: [0, 0, 1] }, 2 + 2 + 2 + 4],
])('what the image data of %s inflates to after its last row goes', (_, header, bytes) => {
  const rows = Buffer.alloc(bytes)
  const stripped = strip(
    png(ihdr(header), pngChunk('IDAT', deflateSync(Buffer.concat([rows, Buffer.from('SECRET '.repeat(99))]))), IEND),
  )
  expect(imageDataOf(stripped).subarray(0, bytes)).toEqual(rows)
  expect(imageDataOf(stripped).toString('latin1')).not.toContain('S')
  const whole = png(ihdr(header), pngChunk('IDAT', deflateSync(rows)), IEND)
  expect(strip(whole)).toEqual(whole)
})

/** The inflated image data of a PNG with one IDAT. */
function imageDataOf(bytes: Uint8Array): Buffer {
  const [chunk] = [...pngChunks(bytes)].filter(({ type }) => type === 'IDAT')
  return inflateSync(chunk ? bytes.subarray(chunk.body, chunk.bodyEnd) : expect.fail('no IDAT'))
}

test('what the stream of a profile inflates to after the profile goes', () => {
  const profile = Uint8Array.from({ length: 300 }, (_, i) => (i < 4 ? [0, 0, 1, 44][i] : (i * i * 7) >> 3) ?? 0)
  for (const level of [0, 6]) {
    const stream = deflateSync(join(profile, 'SECRET of nobody'), { level })
    const stripped = strip(png(ihdr(), pngChunk('iCCP', 'P3\0\0', stream), IDAT, IEND))
    const chunk = [...pngChunks(stripped)].find(({ type }) => type === 'iCCP') ?? expect.fail('no iCCP')
    expect(inflateSync(stripped.subarray(chunk.body + 5, chunk.bodyEnd))).toEqual(Buffer.from(profile))
  }
})

test('what follows a profile in its chunk goes', () => {
  const profile = deflateSync(Uint8Array.of(1, 2, 3))
  expect(strip(png(ihdr(), pngChunk('iCCP', 'P3\0\0', profile, 'SECRET'), IDAT, IEND))).toEqual(
    png(ihdr(), pngChunk('iCCP', 'ICC\0\0', profile), IDAT, IEND),
  )
})
