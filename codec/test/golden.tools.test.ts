import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { photo } from '../../test/support/photo.ts'
import { bytesBE, concat, textBytes } from '../src/bytes.ts'
import { pngChunk, pngChunks } from '../src/container/png-chunks.ts'
import { FORMATS, type Format } from '../src/format.ts'
import { codec } from './codec.ts'
import { corpusImages } from './corpus.ts'
import { image as probed } from './images.ts'
import { isWithoutChromium, useChromium } from './in-chromium.ts'
import { curves, lut16Inks, lut16Lab, P3_COLORANTS, profile, SRGB_CURVE } from './made-profile.ts'
import { readFixture } from './probe/fixtures.ts'
import { psnr } from './psnr.ts'

/**
 * Compares derived images, for files of every kind that was once shown wrongly, with what Chromium shows of the files.
 */

const [WIDTH, HEIGHT] = [180, 130]
const show = useChromium()
const folder = mkdtempSync(join(tmpdir(), 'golden-'))
afterAll(() => rmSync(folder, { recursive: true }))

const image = (seed = 3) => sharp(photo(WIDTH, HEIGHT, seed), { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
const png = async (seed?: number) => new Uint8Array(await image(seed).png().toBuffer())
const jpeg = async () => new Uint8Array(await image().jpeg({ quality: 92, optimiseCoding: false }).toBuffer())
const gif = async () => new Uint8Array(await image().gif().toBuffer())

/** A PNG with these chunks before all others but its header. */
async function withChunks(...chunks: readonly [type: string, body: Uint8Array][]): Promise<Uint8Array> {
  const file = await png()
  return concat([file.subarray(0, 33), ...chunks.map(([type, body]) => pngChunk(type, body)), file.subarray(33)])
}
const numbers = (...values: number[]) => concat(values.map((value) => bytesBE(Math.round(value * 100_000), 4)))
const withProfile = (icc: Uint8Array) => withChunks(['iCCP', concat([textBytes('ICC\0\0'), deflateSync(icc)])])
const LARGE: [string, Uint8Array] = ['blob', new Uint8Array(100_000)]
const P3 = profile([...P3_COLORANTS, ...curves(SRGB_CURVE)])

/** A JPEG of four inks with the profile of a press. */
async function press(): Promise<Uint8Array> {
  const file = await image().toColourspace('cmyk').jpeg({ quality: 92 }).toBuffer()
  const icc = profile([['A2B0', lut16Inks(7)]], { colourSpace: 'CMYK', pcs: 'Lab ', version: 2 })
  const body = concat([textBytes('ICC_PROFILE\0'), Uint8Array.of(1, 1), icc])
  return concat([file.subarray(0, 2), Uint8Array.of(0xff, 0xe2), bytesBE(body.length + 2, 2), body, file.subarray(2)])
}

/** One without its Huffman tables. */
async function motionJpeg(): Promise<Uint8Array> {
  const file = await jpeg()
  const retained: Uint8Array[] = [file.subarray(0, 2)]
  let at = 2
  for (; file[at + 1] !== 0xda; ) {
    const end = at + 2 + (file[at + 2] ?? 0) * 256 + (file[at + 3] ?? 0)
    if (file[at + 1] !== 0xc4) retained.push(file.subarray(at, end))
    at = end
  }
  return concat([...retained, file.subarray(at)])
}

/** An animation of one frame, whose default image is another image. */
async function hiddenDefault(): Promise<Uint8Array> {
  const [hidden, shown] = [await png(8), await png()]
  const idat = [...pngChunks(shown)].filter(({ type }) => type === 'IDAT')
  const data = concat(idat.map(({ body, bodyEnd }) => shown.subarray(body, bodyEnd)))
  const area = concat([0, WIDTH, HEIGHT, 0, 0].map((value) => bytesBE(value, 4)))
  return concat([
    hidden.subarray(0, 33),
    pngChunk('acTL', concat([bytesBE(1, 4), bytesBE(0, 4)])),
    hidden.subarray(33, -12),
    pngChunk('fcTL', concat([area, bytesBE(1, 2), bytesBE(1, 2), Uint8Array.of(0, 0)])),
    pngChunk('fdAT', concat([bytesBE(1, 4), data])),
    pngChunk('IEND'),
  ])
}

async function beyondCanvas(): Promise<Uint8Array> {
  const file = await gif()
  file.set([40, 0, 50, 0], 6)
  return file
}

const cut = (file: Uint8Array, share: number) => file.subarray(0, Math.round(file.length * share))
const fixture = (name: string) => () => readFixture('valid', `avif/${name}.avif`)

const CASES: Record<string, () => Uint8Array | Promise<Uint8Array>> = {
  'PNG, gAMA of 1': () => withChunks(['gAMA', numbers(1)]),
  'PNG, gAMA and cHRM of a wide gamut': () =>
    withChunks(['gAMA', numbers(0.5)], ['cHRM', numbers(0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06)]),
  'PNG, cICP of P3': () => withChunks(['cICP', Uint8Array.of(12, 13, 0, 1)]),
  'PNG, cICP of PQ': () => withChunks(['cICP', Uint8Array.of(9, 16, 0, 1)]),
  'PNG, cICP of HLG': () => withChunks(['cICP', Uint8Array.of(9, 18, 0, 1)]),
  'PNG, P3': () => withProfile(P3),
  'PNG, a large profile of curves': () => withProfile(profile([...P3_COLORANTS, ...curves(SRGB_CURVE), LARGE])),
  'PNG, a large profile of tables': () =>
    withProfile(profile([['A2B0', lut16Lab(17)], LARGE], { pcs: 'Lab ', version: 2 })),
  'PNG, cut in its pixels': async () => cut(await png(), 0.6),
  'PNG, an animation whose default image is hidden': hiddenDefault,
  'GIF, cut': async () => cut(await gif(), 0.7),
  'GIF, a frame beyond its canvas': beyondCanvas,
  'JPEG, CMYK with a profile': press,
  'JPEG, without Huffman tables': motionJpeg,
  'AVIF, PQ': fixture('pq'),
  'AVIF, HLG': fixture('hlg'),
  'AVIF, P3': fixture('p3'),
  'AVIF, alpha': fixture('8-bit-420-alpha'),
  'AVIF, an auxiliary picture of depth': fixture('depth'),
  ...Object.fromEntries(
    [...corpusImages('avif'), ...corpusImages('png')]
      .filter(({ path }) =>
        /(?:cosmos1650.*p3pq\.avif|wide-gamut-only\.png|fox.profile0.10bpc.yuv420\.avif)$/.test(path),
      )
      .map(({ path, file }) => [`the corpus, ${path}`, () => new Uint8Array(file)]),
  ),
}

interface Size {
  width: number
  height: number
}

/** Where Chromium errs, libvips is asked: of a press it shows even the greys of black ink alone in pink. */
const BY_LIBVIPS = ['JPEG, CMYK with a profile']

/** Renders a file with libvips, RGBA, at this size. */
function byLibvips(file: Uint8Array, { width, height }: Size): Promise<Buffer> {
  return sharp(file).resize(width, height, { fit: 'fill' }).toColourspace('srgb').ensureAlpha().raw().toBuffer()
}

/** Renders a file in Chromium, RGBA, at this size. */
async function seen(file: Uint8Array, format: Format, { width, height }: Size): Promise<Buffer> {
  const shown = (await show(file, FORMATS[format].mediaType)) ?? expect.fail(`Chromium does not show the ${format}`)
  return sharp(shown).resize(width, height, { fit: 'fill' }).ensureAlpha().raw().toBuffer()
}

/** Returns the quality of `cwebp -q 80` for these pixels, in dB. */
async function bytesByCwebp(rgba: Buffer, { width, height }: Size): Promise<number> {
  const [input, output] = [join(folder, 'in.png'), join(folder, 'out.webp')]
  await sharp(rgba, { raw: { width, height, channels: 4 } })
    .png()
    .toFile(input)
  execFileSync('cwebp', ['-quiet', '-q', '80', input, '-o', output])
  return psnr(await seen(readFileSync(output), 'webp', { width, height }), rgba)
}

describe.skipIf(isWithoutChromium)('beside what Chromium shows of the file', () => {
  test.each(Object.entries(CASES))(
    '%s: a WebP of the same pixels keeps what cwebp -q 80 does, a thumbnail that of 80 but for a decibel',
    async (name, make) => {
      const one = probed(await make())
      const large = await codec.resize(one)
      const thumbnail = await codec.thumbnail(one, { width: 120, height: 120 })
      for (const [kind, file, allowed] of [
        ['large', large, 0],
        ['thumbnail', thumbnail, 1],
      ] as const) {
        const expected = BY_LIBVIPS.includes(name)
          ? await byLibvips(one.bytes, file.size)
          : await seen(one.bytes, one.facts.format, file.size)
        const least = await bytesByCwebp(expected, file.size)
        const dB = psnr(await seen(file.bytes, 'webp', file.size), expected)
        console.info(`${name}, ${kind}: ${dB.toFixed(1)} dB, cwebp -q 80: ${least.toFixed(1)}`)
        expect.soft(dB, `${kind}, dB`).toBeGreaterThanOrEqual(least - allowed)
      }
    },
  )

  test('a cover of images of different colours is, in each half, what cwebp -q 80 keeps', async () => {
    const halves = [await withProfile(P3), await jpeg()].map((bytes) => ({ ...probed(bytes) }))
    const size = { width: WIDTH, height: HEIGHT }
    const [left, right] = halves.map((one) => ({ image: one, size }))
    if (!left || !right) throw new Error('two are made')
    const joined = await codec.join(left, right, 'jpeg')
    const cover = await seen(joined.bytes, joined.format, joined.size)
    for (const [i, { bytes, facts }] of halves.entries()) {
      const half = await sharp(cover, { raw: { ...joined.size, channels: 4 } })
        .extract({ left: i * WIDTH, top: 0, ...size })
        .raw()
        .toBuffer()
      const expected = await seen(bytes, facts.format, size)
      expect.soft(psnr(half, expected), 'dB').toBeGreaterThanOrEqual(await bytesByCwebp(expected, size))
    }
  })
})
