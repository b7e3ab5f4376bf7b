import { expect, test } from 'vitest'
import { probe } from '../../src/probe.ts'
import { listFixtures, readFixture } from './fixtures.ts'

/** Header information, except for the defaults: 24 x 16, upright, opaque and still. */
const FACTS: Record<string, object> = {
  'avif/10-bit-420.avif': { bitDepth: 10, chroma: '4:2:0' },
  'avif/10-bit-422.avif': { size: { width: 203, height: 157 }, bitDepth: 10, chroma: '4:2:2' },
  'avif/10-bit-gray.avif': { size: { width: 203, height: 157 }, bitDepth: 10, chroma: '4:0:0' },
  'avif/10-bit-grid.avif': { size: { width: 120, height: 100 }, bitDepth: 10, grid: true, codedPixels: 16_384 },
  'avif/12-bit-422.avif': { size: { width: 200, height: 140 }, bitDepth: 12, chroma: '4:2:2' },
  'avif/12-bit-444.avif': { bitDepth: 12, chroma: '4:4:4' },
  'avif/8-bit-420-alpha.avif': { bitDepth: 8, chroma: '4:2:0', alpha: true },
  'avif/8-bit-444.avif': { bitDepth: 8, chroma: '4:4:4' },
  'avif/depth.avif': { alpha: false },
  'avif/hlg.avif': { bitDepth: 10 },
  'avif/identity.avif': { size: { width: 64, height: 64 } },
  'avif/overlay.avif': { size: { width: 100, height: 80 } },
  'avif/p3.avif': { bitDepth: 10 },
  'avif/pq.avif': { bitDepth: 10 },
  'avif/premultiplied.avif': { alpha: true },
  'avif/stretched-alpha.avif': { alpha: true },
  'avif/with-everything.avif': {},
  'gif/still.gif': { frames: 1 },
  'gif/transparent.gif': { alpha: true },
  'gif/two-frames.gif': { frames: 2, animated: true, alpha: true },
  'jpeg/baseline-420.jpg': { progressive: false, scans: 1, sampling: [0x22, 0x11, 0x11].map(sampling) },
  'jpeg/cmyk.jpg': { sampling: { length: 4 } },
  'jpeg/gray.jpg': { sampling: [0x11].map(sampling) },
  'jpeg/progressive-444.jpg': { progressive: true, sampling: [0x11, 0x11, 0x11].map(sampling) },
  'jpeg/turned-6-with-everything.jpg': { orientation: 6 },
  'jpeg/upright-with-everything.jpg': {},
  'png/gray-16.png': { colourType: 0, bitDepth: 16 },
  'png/interlaced-alpha.png': { colourType: 6, interlaced: true, alpha: true },
  'png/one-frame.png': {},
  'png/palette-transparent.png': { colourType: 3, transparent: true, alpha: true },
  'png/rgb.png': { colourType: 2, bitDepth: 8, interlaced: false, transparent: false },
  'png/turned-8-with-everything.png': { orientation: 8 },
  'png/two-frames.png': { animated: true },
  'webp/lossless-alpha.webp': { coding: 'lossless', alpha: true },
  'webp/lossless.webp': { coding: 'lossless' },
  'webp/lossy-alpha.webp': { coding: 'lossy', alpha: true },
  'webp/lossy.webp': { coding: 'lossy' },
  'webp/turned-3-with-everything.webp': { orientation: 3 },
  'webp/two-frames.webp': { animated: true },
}

function sampling(factors: number) {
  return { horizontal: factors >> 4, vertical: factors & 15 }
}

test('every valid fixture has its facts here', () => {
  expect(listFixtures('valid').sort()).toEqual(Object.keys(FACTS).sort())
})

test.each(Object.entries(FACTS))('%s is what it is', (path, facts) => {
  const plain = { size: { width: 24, height: 16 }, orientation: 1, animated: false, alpha: false }
  expect(probe(readFixture('valid', path))).toMatchObject({ format: path.split('/')[0], ...plain, ...facts })
})

test.each(listFixtures('invalid'))('%s is refused', (path) => {
  expect(() => probe(readFixture('invalid', path))).toThrow(
    expect.objectContaining({ name: 'ImageRefusal', reason: 'unreadable' }),
  )
})
