import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findColourProfile } from '../../src/colours/colour-profile.ts'
import { isFaithfulAsWebp } from '../../src/colours/faithful.ts'
import { isSrgb } from '../../src/colours/srgb.ts'
import { probe } from '../../src/probe.ts'
import { curves, P3_COLORANTS, parametric, profile, SRGB_COLORANTS, SRGB_CURVE, sampled } from '../made-profile.ts'
import * as made from '../probe/made.ts'
import { bytesBE, join } from '../probe/made.ts'

const toLinear = (x: number) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)
const samples = (count: number) => Array.from({ length: count }, (_, i) => 65535 * toLinear(i / (count - 1)))

const SRGB = profile([...SRGB_COLORANTS, ...curves(SRGB_CURVE)])
const P3 = profile([...P3_COLORANTS, ...curves(SRGB_CURVE)])

test.each([
  ['sRGB', SRGB, true],
  ['sRGB with a sampled curve', profile([...SRGB_COLORANTS, ...curves(sampled(...samples(1024)))]), true],
  [
    'sRGB with a curve of another parametric kind',
    profile([...SRGB_COLORANTS, ...curves(parametric(4, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045, 0, 0))]),
    true,
  ],
  ['sRGB with a gamma of 2.2', profile([...SRGB_COLORANTS, ...curves(sampled(2.2 * 256))]), false],
  ['sRGB with a parametric gamma of 2.2', profile([...SRGB_COLORANTS, ...curves(parametric(0, 2.2))]), false],
  ['a gamma of 1.8', profile([...SRGB_COLORANTS, ...curves(sampled(1.8 * 256))]), false],
  ['straight lines', profile([...SRGB_COLORANTS, ...curves(sampled())]), false],
  ['Display P3', P3, false],
  ['sRGB with tables besides', profile([['A2B0', join('mft2')], ...SRGB_COLORANTS, ...curves(SRGB_CURVE)]), false],
  ['no curves', profile(SRGB_COLORANTS), false],
  ['no colorants', profile(curves(SRGB_CURVE)), false],
  ['a curve of an unknown kind', profile([...SRGB_COLORANTS, ...curves(join('text'))]), false],
  ['nothing', join(), false],
])('a profile of %s: is it sRGB?', (_, bytes, expected) => {
  expect(isSrgb(bytes)).toBe(expected)
})

async function find(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  return findColourProfile(bytes, factsOf(bytes))
}

const factsOf = (bytes: Uint8Array) => probe(bytes) ?? expect.fail('not an image')

const inSegment = (part: Uint8Array, number = 1, count = 1) =>
  made.segment(0xe2, 'ICC_PROFILE\0', [number, count], part)
const inJpeg = (...segments: Uint8Array[]) => made.jpeg(...segments, made.frame(), made.SCAN)
const inPng = (...iCCP: (Uint8Array | string | number[])[]) =>
  made.png(made.ihdr(), made.pngChunk('iCCP', ...iCCP), made.IDAT, made.IEND)
const inWebp = (icc: Uint8Array) => made.webp(made.vp8x(0x20), made.webpChunk('ICCP', icc), made.vp8())
const inAvif = (type: string, icc: Uint8Array) =>
  made.avif([{ ...made.IMAGE, properties: [made.ispe(), made.av1C(), made.box('colr', type, icc)] }])

test.each([
  ['a JPEG', inJpeg(inSegment(P3))],
  ['a JPEG in parts', inJpeg(inSegment(P3.subarray(0, 100), 1, 2), inSegment(P3.subarray(100), 2, 2))],
  ['a JPEG in parts out of order', inJpeg(inSegment(P3.subarray(100), 2, 2), inSegment(P3.subarray(0, 100), 1, 2))],
  ['a PNG', inPng('name\0', [0], deflateSync(P3))],
  ['a WebP', inWebp(P3)],
  ['a WebP, with stray bytes after it', inWebp(join(P3, 'stray'))],
  ['an AVIF', inAvif('prof', P3)],
  ['an AVIF, restricted', inAvif('rICC', P3)],
])('the profile of %s is found', async (_, bytes) => {
  expect(await find(bytes)).toEqual(P3)
})

const large = (size: number) => {
  const bytes = new Uint8Array(size)
  bytes.set(P3)
  bytes.set(bytesBE(size, 4))
  return bytes
}

test('a profile of 4 MiB is found, and a larger one known to be too large', async () => {
  const most = 4 * 1024 * 1024
  const files = (size: number) => [inWebp(large(size)), inPng('name\0', [0], deflateSync(large(size)))]
  for (const bytes of files(most)) {
    expect((await find(bytes))?.length).toBe(most)
    expect(await isFaithfulAsWebp({ bytes, facts: factsOf(bytes) })).toBe(true)
  }
  for (const bytes of files(most + 1)) {
    expect(await find(bytes)).toBeUndefined()
    expect(await isFaithfulAsWebp({ bytes, facts: factsOf(bytes) })).toBe(false)
  }
})

test.each([
  ['none', inJpeg()],
  ['sRGB', inJpeg(inSegment(SRGB))],
  ['gray', inJpeg(inSegment(profile([], { colourSpace: 'GRAY' })))],
  ['CMYK', inJpeg(inSegment(profile([], { colourSpace: 'CMYK' })))],
  ['one without its signature', inWebp(P3.with(36, 0))],
  ['one longer than its chunk', inWebp(P3.subarray(0, -1))],
  ['an empty one', inWebp(join())],
  ['a part missing', inJpeg(inSegment(P3, 1, 2))],
  ['one after the first scan', made.jpeg(made.frame(), made.SCAN, inSegment(P3), made.SCAN)],
  ['a broken zlib stream', inPng('name\0', [0], 'not deflated')],
  ['a name without an end', inPng('name')],
  ['colours by number', inAvif('nclx', join([0, 1, 0, 13, 0, 6, 0x80]))],
  ['a GIF', made.gif(24, 16, made.gifFrame(0, 0, 24, 16))],
])('%s has no profile', async (_, bytes) => {
  expect(await find(bytes)).toBeUndefined()
})
