import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { corpusImages } from '../corpus.ts'
import { isWithoutChromium, useChromium } from '../in-chromium.ts'
import { listFixtures, readFixture } from '../probe/fixtures.ts'
import { psnr } from '../psnr.ts'
import { imageOf } from './made-avif.ts'
import { thumbnailOf } from './thumbnail-of.ts'

/** Chromium upsamples 4:2:0 chroma and alpha of few levels differently. Colours that are not converted reach 10 to 20 dB. */
const LEAST_DB = 27

const show = useChromium()

describe.skipIf(isWithoutChromium)('a thumbnail of an AVIF is what Chromium shows (needs a Chromium)', () => {
  const fixtures = listFixtures('valid').filter((path) => path.endsWith('.avif'))
  test.each(fixtures)('%s', async (path) => {
    expect(await psnrBesideChromium(new Uint8Array(readFixture('valid', path))), 'dB').toBeGreaterThanOrEqual(LEAST_DB)
  })

  const coloured = corpusImages('avif').filter(({ path }) =>
    /(?:hdr|gainmap|pq|layer|progressive)[^/]*\.avif$/.test(path),
  )
  test.skipIf(coloured.length === 0).each(coloured.map(({ path, file }) => [path, file] as const))(
    '%s',
    async (_, file) => expect(await psnrBesideChromium(new Uint8Array(file)), 'dB').toBeGreaterThanOrEqual(LEAST_DB),
  )
})

/** The PSNR in dB; Infinity for files that Chromium does not show. */
async function psnrBesideChromium(bytes: Uint8Array): Promise<number> {
  const png = await show(bytes, 'image/avif')
  if (png === undefined) return Number.POSITIVE_INFINITY
  const { width, height, rgba } = await thumbnailOf(imageOf(bytes))
  const theirs = sharp(png).resize(width, height, { fit: 'fill' }).ensureAlpha()
  return psnr(new Uint8Array(rgba), await theirs.raw().toBuffer())
}
