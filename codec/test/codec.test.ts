import { describe, expect, test } from 'vitest'
import { below, seededRandom } from '../../test/support/random.ts'
import { bytesBE, concat, fourCC, textBytes } from '../src/bytes.ts'
import { findColourProfile } from '../src/colours/colour-profile.ts'
import { readMatrixProfile } from '../src/colours/matrix-profile.ts'
import { webpChunks } from '../src/container/webp-chunks.ts'
import { COMPOSED_MAX_PIXELS, requireComposable } from '../src/pixels/budget.ts'
import { probe } from '../src/probe.ts'
import type { ProbedImage } from '../src/probed-image.ts'
import { encodeWebp } from './encode.ts'
import { animatedWebp, image, jpeg, madeElsewhere, noise, png, tiles, webp } from './images.ts'
import { curves, P3_COLORANTS, profile, SRGB_CURVE } from './made-profile.ts'

const BOX = { width: 200, height: 200 }
const SIZE = { width: 40, height: 24 }

describe('after a file that cannot be decoded the codec is as good as new', () => {
  const GOOD: [string, () => Promise<ProbedImage> | ProbedImage][] = [
    ['JPEG', () => jpeg(noise(SIZE))],
    ['CMYK JPEG', () => madeElsewhere('cmykJpeg')],
    ['PNG', () => png(noise(SIZE))],
    ['WebP', () => webp(noise(SIZE))],
    ['AVIF', () => madeElsewhere('avif')],
  ]
  test.each(GOOD)('%s', async (_, make) => {
    const good = await make()
    const before = await encodeWebp(good, BOX, 80)
    const bad = { ...good, bytes: good.bytes.subarray(0, 40) }
    for (let i = 0; i < 100; i++) {
      await expect(encodeWebp(bad, BOX, 80)).rejects.toMatchObject({ name: 'ImageRefusal', reason: 'unreadable' })
    }
    expect(await encodeWebp(good, BOX, 80)).toEqual(before)
  })
})

test('a refusal says what is wrong in a sentence of our own', async () => {
  const { bytes, facts } = await webp(noise(SIZE))
  await expect(encodeWebp({ bytes: bytes.subarray(0, 40), facts }, BOX, 80)).rejects.toThrow(
    'the WebP ends before its picture does',
  )
})

test('jobs at the same time give what they give one after the other, though some fail', async () => {
  const good = [await jpeg(noise(SIZE, 1)), png(noise(SIZE, 2)), await webp(noise(SIZE, 3))]
  const images = good.flatMap((one) => [one, { ...one, bytes: one.bytes.subarray(0, 40) }, one])
  const together = await Promise.allSettled(images.map((one) => encodeWebp(one, BOX, 80)))
  expect(together.map(({ status }) => status === 'fulfilled')).toEqual([
    true,
    false,
    true,
    true,
    false,
    true,
    true,
    false,
    true,
  ])
  for (const [i, result] of together.entries()) {
    const one = images[i]
    if (one && result.status === 'fulfilled') expect(result.value).toEqual(await encodeWebp(one, BOX, 80))
  }
})

describe('the budget', () => {
  test('of a first frame to be composed is its canvas', async () => {
    expect(() => requireComposable({ width: COMPOSED_MAX_PIXELS, height: 1 }, 'it')).not.toThrow()
    const partial = { raster: noise({ width: 8, height: 8 }), left: 0, top: 0 }
    const { bytes, facts } = await animatedWebp(SIZE, [partial, partial])
    const tooLarge = { bytes, facts: { ...facts, size: { width: COMPOSED_MAX_PIXELS + 1, height: 1 } } }
    await expect(encodeWebp(tooLarge, BOX, 80)).rejects.toMatchObject({
      reason: 'over_budget',
      message:
        'an animated WebP whose first frame is smaller than its canvas must have at most 5 megapixels: received 5000001 x 1',
    })
  })
})

describe('a colour profile goes along', () => {
  const P3 = profile([...P3_COLORANTS, ...curves(SRGB_CURVE)])

  test.each([
    ['an opaque picture', ['RG', 'BW'], 0x20, ['VP8X', 'ICCP', 'VP8 ']],
    ['a see-through one', ['R ', ' W'], 0x30, ['VP8X', 'ICCP', 'ALPH', 'VP8 ']],
  ])('with %s', async (_, rows, flags, types) => {
    const { bytes, size } = await encodeWebp(await withProfile(rows, P3), BOX, 80)
    const chunks = [...webpChunks(bytes)]
    expect(chunks.map(({ type }) => type)).toEqual(types)
    expect(chunks.every(({ whole }) => whole) && chunks.at(-1)?.end).toBe(bytes.length)
    expect(bytes[20]).toBe(flags)
    const facts = probe(bytes)
    expect(facts).toMatchObject({ format: 'webp', size, animated: false })
    const written = facts && (await findColourProfile(bytes, facts))
    expect(readMatrixProfile(written ?? expect.fail('no profile'))?.toXyz).toEqual(readMatrixProfile(P3)?.toXyz)
  })

  test('an image without one gets the simple form', async () => {
    const { bytes } = await encodeWebp(png(tiles(['RG'], SIZE)), BOX, 80)
    expect(fourCC(bytes, 12)).toBe('VP8 ')
  })

  /** A WebP of the profile and these tiles. */
  async function withProfile(rows: readonly string[], icc: Uint8Array): Promise<ProbedImage> {
    const { bytes } = await webp(tiles(rows, SIZE), { orientation: 1 })
    const chunks = [...webpChunks(bytes)]
    const header = bytes.slice(12, 30)
    header[8] = (header[8] ?? 0) | 0x20
    const iccp = concat([textBytes('ICCP'), bytesBE(icc.length, 4).reverse(), icc, new Uint8Array(icc.length % 2)])
    const rest = chunks.filter(({ type }) => type !== 'VP8X').map(({ start, end }) => bytes.subarray(start, end))
    const body = concat([textBytes('WEBP'), header, iccp, ...rest])
    return image(concat([textBytes('RIFF'), bytesBE(body.length, 4).reverse(), body]))
  }
})

const SEED = 4
test(`changed bytes return an image or a refusal, and never touch the next image (seed ${SEED})`, async () => {
  const random = seededRandom(SEED)
  const files = [
    await jpeg(noise(SIZE)),
    png(noise(SIZE)),
    await webp(noise(SIZE)),
    madeElsewhere('avif'),
    madeElsewhere('cmykJpeg'),
  ]
  for (const good of files) {
    const expected = await encodeWebp(good, BOX, 80)
    for (let i = 0; i < 40; i++) {
      const bytes = good.bytes.slice()
      for (let change = 0; change < 3; change++) bytes[below(bytes.length, random)] = below(256, random)
      try {
        const facts = probe(bytes)
        if (facts) await encodeWebp({ bytes, facts }, BOX, 80)
      } catch (error) {
        expect(error).toMatchObject({ name: 'ImageRefusal' })
      }
    }
    expect(await encodeWebp(good, BOX, 80)).toEqual(expected)
  }
})
