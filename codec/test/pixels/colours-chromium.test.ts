import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../../test/support/random.ts'
import { concat, textBytes } from '../../src/bytes.ts'
import { PNG_SIGNATURE, pngChunk } from '../../src/container/png-chunks.ts'
import { webpChunks } from '../../src/container/webp-chunks.ts'
import { FORMATS } from '../../src/format.ts'
import { losslessWebp } from '../../src/pixels/webp-file.ts'
import { codec } from '../codec.ts'
import { image as probed } from '../images.ts'
import { isWithoutChromium, useChromium } from '../in-chromium.ts'
import {
  curves,
  P3_COLORANTS,
  parametric,
  profile,
  REC2020_COLORANTS,
  SRGB_COLORANTS,
  SRGB_CURVE,
  sampled,
} from '../made-profile.ts'
import { bytesBE } from '../probe/made.ts'
import { psnr } from '../psnr.ts'

/** Patches of 16 x 16 pixels: greys from black to white, then each channel of them beside half of the others. */
const [ACROSS, DOWN, PATCH] = [17, 4, 16]
const [WIDTH, HEIGHT] = [ACROSS * PATCH, DOWN * PATCH]
/** Averaged before they are clipped, the noise has at most 26 dB. */
const CLIPPED_MIN_DB = 33
/** The largest difference of a patch, in levels: WebP has luma of 220 levels, and colours at the edge of sRGB have dark channels. */
const MOST = 5

const show = useChromium()

function levelsAt(x: number, y: number): number[] {
  const [level, row] = [Math.floor(x / PATCH) * 15.9375, Math.floor(y / PATCH)]
  return [0, 1, 2].map((channel) => (row === 0 || row === channel + 1 ? level : 96 + level / 4))
}

interface Kind {
  depth?: 8 | 16
  isGrey?: boolean
}

/** A PNG of the patches with these chunks before its pixels. */
function png(chunks: readonly Uint8Array[], { depth = 8, isGrey = false }: Kind = {}): Uint8Array {
  const bytes = depth / 8
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const samples = Array.from({ length: WIDTH }, (_, x) => levelsAt(x, isGrey ? 0 : y).slice(0, isGrey ? 1 : 3)).flat()
    return concat([
      Uint8Array.of(0),
      ...samples.map((level) => bytesBE(Math.round(level * (depth === 8 ? 1 : 257)), bytes)),
    ])
  })
  const header = concat([bytesBE(WIDTH, 4), bytesBE(HEIGHT, 4), Uint8Array.of(depth, isGrey ? 0 : 2, 0, 0, 0)])
  const pixels = pngChunk('IDAT', deflateSync(concat(rows)))
  return concat([textBytes(PNG_SIGNATURE), pngChunk('IHDR', header), ...chunks, pixels, pngChunk('IEND')])
}

const numbers = (...values: number[]) => concat(values.map((value) => bytesBE(Math.round(value * 100_000), 4)))
const gAMA = (gamma: number) => pngChunk('gAMA', numbers(gamma))
const P3_POINTS = [0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]
const SRGB_POINTS = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
const cHRM = (points: number[]) => pngChunk('cHRM', numbers(...points))
const cICP = (primaries: number, transfer: number) => pngChunk('cICP', Uint8Array.of(primaries, transfer, 0, 1))
const iCCP = (icc: Uint8Array) => pngChunk('iCCP', concat([textBytes('ICC\0\0'), deflateSync(icc)]))
const grey = (curve: Uint8Array, pcs: string) => profile([['kTRC', curve]], { colourSpace: 'GRAY', pcs })
const gamma22 = profile([...SRGB_COLORANTS, ...curves(parametric(0, 2.2))])
const rec2020 = profile([...REC2020_COLORANTS, ...curves(parametric(0, 2.2))])
const large = profile([...P3_COLORANTS, ...curves(SRGB_CURVE), ['blob', new Uint8Array(1_600_000)]])

const PLTE = pngChunk('PLTE', new Uint8Array(3))
const p3 = profile([...P3_COLORANTS, ...curves(SRGB_CURVE)])
const damaged = (chunk: Uint8Array) => chunk.with(-1, (chunk.at(-1) ?? 0) ^ 1)
/** P3 whose colorants have another type: no decoder can read them. */
const unread = profile([
  ...P3_COLORANTS.map(([name, data]): [string, Uint8Array] => [name, concat([textBytes('ABCD'), data.subarray(4)])]),
  ...curves(SRGB_CURVE),
])

const PNGS: [string, Uint8Array][] = [
  ...[1, 6, 14, 15, 13, 4, 5, 2, 12].map((transfer): [string, Uint8Array] => [
    `cICP of BT.709 and transfer ${transfer}`,
    png([cICP(1, transfer)]),
  ]),
  ['cICP of BT.2020 and its transfer', png([cICP(9, 14)])],
  ['cICP of BT.2020 and an unknown transfer', png([cICP(9, 2)])],
  ['cICP of unknown primaries', png([cICP(2, 8)])],
  ['cHRM of P3 alone', png([cHRM(P3_POINTS)])],
  ['cHRM of P3 and gAMA', png([gAMA(0.45455), cHRM(P3_POINTS)])],
  ['cHRM of sRGB and gAMA', png([gAMA(0.45455), cHRM(SRGB_POINTS)])],
  ['gAMA of 0.46', png([gAMA(0.46)])],
  ['gAMA of 0.5', png([gAMA(0.5)])],
  ['gAMA of 0.5, then of sRGB', png([gAMA(0.5), gAMA(0.45455)])],
  ['gAMA of sRGB, then of 0.5', png([gAMA(0.45455), gAMA(0.5)])],
  ['gAMA of 0.5 after PLTE', png([PLTE, gAMA(0.5)])],
  ['a damaged gAMA', png([damaged(gAMA(0.5))])],
  ['two cHRM', png([gAMA(0.45455), cHRM(P3_POINTS), cHRM(SRGB_POINTS)])],
  ['a damaged cHRM', png([gAMA(0.45455), damaged(cHRM(P3_POINTS))])],
  ['two cICP', png([cICP(12, 13), cICP(1, 13)])],
  ['cICP after PLTE', png([PLTE, cICP(12, 13)])],
  ['a damaged cICP', png([damaged(cICP(12, 13))])],
  ['a damaged sRGB, and gAMA', png([damaged(pngChunk('sRGB', Uint8Array.of(0))), gAMA(0.5)])],
  ['a profile after PLTE', png([PLTE, iCCP(p3)])],
  ['a damaged profile', png([damaged(iCCP(p3))])],
  ['a profile with primaries of another type', png([iCCP(unread)])],
  ['a profile of sRGB with a gamma of 2.2', png([iCCP(gamma22)])],
  ['a profile of P3', png([iCCP(p3)])],
  [
    'a profile of P3 with a curve of samples',
    png([iCCP(profile([...P3_COLORANTS, ...curves(sampled(...ramp(1.5)))]))]),
  ],
  ['a profile of linear light', png([iCCP(profile([...SRGB_COLORANTS, ...curves(parametric(0, 1))]))])],
  [
    'a profile of linear light, 16 bits',
    png([iCCP(profile([...SRGB_COLORANTS, ...curves(parametric(0, 1))]))], { depth: 16 }),
  ],
  ['cICP of PQ, 16 bits', png([cICP(9, 16)], { depth: 16 })],
  ['cICP of HLG, 16 bits', png([cICP(9, 18)], { depth: 16 })],
  ['a profile of P3 and a gamma of 1.2', png([iCCP(profile([...P3_COLORANTS, ...curves(parametric(0, 1.2))]))])],
  ['a profile of Rec. 2020', png([iCCP(rec2020)])],
  ['a profile of 1.6 MB', png([iCCP(large)])],
  ['greys with a profile', png([iCCP(grey(sampled(1.8 * 256), 'XYZ '))], { isGrey: true })],
  ['greys with a profile that connects to Lab', png([iCCP(grey(sampled(3 * 256), 'Lab '))], { isGrey: true })],
]

/** Samples of a gamma with a toe that no formula here has. */
function ramp(gamma: number): number[] {
  return Array.from({ length: 64 }, (_, i) => 65535 * (0.1 * (i / 63) + 0.9 * (i / 63) ** (2 * gamma)))
}

/** The mean colours of the patches of a file, as Chromium shows it. */
async function patchesOf(file: Uint8Array, mediaType: string): Promise<number[]> {
  const shown = (await show(file, mediaType)) ?? expect.fail('Chromium does not show it')
  const { data, info } = await sharp(shown).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([WIDTH, HEIGHT])
  return Array.from({ length: ACROSS * DOWN * 3 }, (_, i) => {
    const [patch, channel] = [Math.floor(i / 3), i % 3]
    const [left, top] = [(patch % ACROSS) * PATCH, Math.floor(patch / ACROSS) * PATCH]
    let sum = 0
    // Its middle: colours at the edges of patches are blurred.
    for (let y = 5; y < 11; y++) {
      for (let x = 5; x < 11; x++) sum += data[((top + y) * WIDTH + left + x) * 3 + channel] ?? 0
    }
    return sum / 36
  })
}

/** A PNG in Rec. 2020 of the greenest greens of sRGB, with a disc of a green beyond sRGB and one of white. */
async function greens(edge: number): Promise<Uint8Array> {
  const isIn = (x: number, y: number, at: number, radius: number) => (x - at) ** 2 + (y - at) ** 2 < radius ** 2
  const data = Uint8Array.from({ length: edge * edge * 3 }, (_, i) => {
    const [x, y, channel] = [Math.floor(i / 3) % edge, Math.floor(i / 3 / edge), i % 3]
    if (isIn(x, y, edge * 0.8, edge * 0.1)) return 255
    if (isIn(x, y, edge * 0.4, edge * 0.25)) return channel === 1 ? 255 : 0
    return [153 + (x % 2), 246 + (y % 2), 85 + ((x + y) % 2)][channel] ?? 0
  })
  const plain = await sharp(data, { raw: { width: edge, height: edge, channels: 3 } })
    .png()
    .toBuffer()
  const header = PNG_SIGNATURE.length + 25
  return concat([plain.subarray(0, header), iCCP(rec2020), plain.subarray(header)])
}

/** Pixels in Rec. 2020 of noise about the greenest green of sRGB, half of it beyond sRGB, with a disc that half shows through. */
function noise(edge: number): Uint8Array {
  const random = seededRandom(20_261_128)
  return Uint8Array.from({ length: edge * edge * 4 }, (_, i) => {
    const [x, y, channel] = [Math.floor(i / 4) % edge, Math.floor(i / 4 / edge), i % 4]
    const isDisc = (x - edge / 2) ** 2 + (y - edge / 2) ** 2 < (edge / 4) ** 2
    if (channel === 3) return isDisc ? 128 : 255
    return ([145, 235, 70][channel] ?? 0) + below(41, random) - 20
  })
}

/** Files of the noise in Rec. 2020, of 8 or 16 bits, interlaced or not, and the lossless WebP. */
async function noisyFiles(edge: number): Promise<[name: string, file: Uint8Array, mediaType: string][]> {
  const rgba = noise(edge)
  const raw = { width: edge, height: edge, channels: 4 } as const
  const opaque = () => sharp(rgba, { raw }).removeAlpha()
  const deep = await opaque().raw().toBuffer()
  const sixteen = () =>
    sharp(
      Uint16Array.from(deep, (level) => level * 257),
      { raw: { ...raw, channels: 3 } },
    ).toColourspace('rgb16')
  const inPng = async (image: Sharp, progressive = false) => {
    const plain = await image.png({ progressive }).toBuffer()
    const header = PNG_SIGNATURE.length + 25
    return concat([plain.subarray(0, header), iCCP(rec2020), plain.subarray(header)])
  }
  const webp = await sharp(rgba, { raw }).webp({ lossless: true, exact: true }).toBuffer()
  const stream = [...webpChunks(webp)].find(({ type }) => type === 'VP8L') ?? expect.fail('no VP8L chunk')
  const size = { width: edge, height: edge }
  const pngs: [string, Uint8Array][] = [
    ['8 bits', await inPng(opaque())],
    ['8 bits and alpha', await inPng(sharp(rgba, { raw }))],
    ['8 bits, interlaced', await inPng(opaque(), true)],
    ['16 bits', await inPng(sixteen())],
    ['16 bits, interlaced', await inPng(sixteen(), true)],
  ]
  return [
    ...pngs.map(([name, file]): [string, Uint8Array, string] => [`PNG of ${name}`, file, 'image/png']),
    ['lossless WebP', losslessWebp(webp.subarray(stream.body, stream.bodyEnd), size, rec2020), 'image/webp'],
  ]
}

describe.skipIf(isWithoutChromium)('a WebP has the colours that Chromium shows of a PNG (needs a Chromium)', () => {
  test.each(PNGS)('%s', async (_, file) => {
    const made = await codec.resize(probed(file), { quality: 100 })
    const [ours, theirs] = [await patchesOf(made.bytes, FORMATS.webp.mediaType), await patchesOf(file, 'image/png')]
    const off = ours.map((level, i) => Math.abs(level - (theirs[i] ?? 0)))
    const most = Math.max(...off)
    const at = off.indexOf(most)
    expect(most, `patch ${Math.floor(at / 3)}: ${ours[at]}, in Chromium ${theirs[at]}`).toBeLessThanOrEqual(MOST)
  })
})

test.skipIf(isWithoutChromium)(
  'thumbnails of Rec. 2020 have no blocks of other colours (needs a Chromium)',
  async () => {
    const file = await greens(300)
    const thumbnail = await codec.resize(probed(file), { quality: 80 })
    const rawOf = async (shown: Uint8Array | undefined) =>
      sharp(shown ?? expect.fail('Chromium does not show it'))
        .removeAlpha()
        .raw()
        .toBuffer()
    const theirs = await rawOf(await show(file, 'image/png'))
    const ours = await rawOf(await show(thumbnail.bytes, FORMATS.webp.mediaType))
    const asSharp = await sharp(theirs, { raw: { width: 300, height: 300, channels: 3 } })
      .webp({ quality: 80 })
      .toBuffer()
    expect(psnr(ours, theirs)).toBeGreaterThan(psnr(await rawOf(asSharp), theirs) - 1)
  },
)

test.skipIf(isWithoutChromium)(
  'thumbnails of Rec. 2020 average colours that are clipped to sRGB, as in Chromium (needs a Chromium)',
  async () => {
    const box = { width: 120, height: 120 }
    const onWhite = async (pixels: Sharp) => pixels.flatten({ background: '#fff' }).ensureAlpha().raw().toBuffer()
    for (const [name, file, mediaType] of await noisyFiles(600)) {
      const theirs = (await show(file, mediaType)) ?? expect.fail('Chromium does not show it')
      const { rgba, ...size } = await codec.pixels(new Uint8Array(theirs), box)
      const wanted = await onWhite(sharp(rgba, { raw: { ...size, channels: 4 } }))
      const made = await codec.resize(file, { ...box, quality: 90 })
      const shown = (await show(made.bytes, FORMATS.webp.mediaType)) ?? expect.fail('Chromium does not show it')
      expect(psnr(await onWhite(sharp(shown)), wanted), name).toBeGreaterThan(CLIPPED_MIN_DB)
    }
  },
)
