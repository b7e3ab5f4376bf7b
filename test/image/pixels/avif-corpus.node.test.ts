import { describe, expect, test, vi } from 'vitest'
import { probe } from '../../../src/image/probe.ts'
import { ImageRefusal } from '../../../src/image/refusal.ts'
import { type CorpusPicture, corpusPictures, hasCorpus } from '../../codec/corpus.ts'
import { psnr } from '../../codec/psnr.ts'
import { pictureOf } from './made-avif.ts'
import { byLibavif, bySharp } from './other-decoders.ts'
import { thumbnailOf } from './thumbnail-of.ts'

vi.setConfig({ testTimeout: 60_000 })

const LONGEST_MS = 5_000
const pictures = corpusPictures('avif')
const good = pictures.filter(({ expected }) => expected === '200')

/** Where sharp shows something else on purpose or by mistake. */
const NOT_LIKE_SHARP: Record<string, string> = {
  'Chimera_10bit_cropped_to_1920x1008.avif': 'it crops by clap',
  'clap_irot_imir_non_essential.avif': 'it crops by clap',
  'abc_color_irot_alpha_NOirot.avif': 'it turns the colours but not the alpha',
  'bbb_alpha_inverted.avif': 'it does not spread an alpha of 16 to 235',
}
/** No picture to sharp. */
const NOT_FOR_SHARP = [
  'quebec_3layer_op2.avif',
  'alpha_video.avif',
  'colors-animated-8bpc-depth-exif-xmp.avif',
  'poc_b_506387278.avif',
]
const NOT_FOR_LIBAVIF: Record<string, string> = {
  'poc_b_506387278.avif': 'of its two frames it gives none',
  'bbb_alpha_inverted.avif': 'it takes more memory than there is',
}

function isOneOf({ path }: CorpusPicture, names: readonly string[]): boolean {
  return names.some((name) => path.endsWith(`/${name}`))
}

/** A copy: Node's buffers may share memory. */
function pictureIn({ file }: CorpusPicture) {
  return pictureOf(new Uint8Array(file))
}

describe.skipIf(!hasCorpus)('an AVIF of the corpus that must be taken looks as sharp shows it', () => {
  const comparable = good.filter((one) => !isOneOf(one, [...Object.keys(NOT_LIKE_SHARP), ...NOT_FOR_SHARP]))
  test.each(comparable.map((one) => [one.path, one] as const))('%s', async (_, one) => {
    const picture = pictureIn(one)
    const ours = await thumbnailOf(picture)
    expect(psnr(new Uint8Array(ours.rgba), await bySharp(picture.bytes, ours)), 'in dB').toBeGreaterThanOrEqual(30)
  })
})

describe.skipIf(!hasCorpus)('and one of 8 bits, not turned, as libavif decodes it', () => {
  const comparable = good.filter((one) => {
    const { facts } = pictureIn(one)
    const isPlain = facts.format === 'avif' && facts.bitDepth === 8 && facts.orientation === 1
    return isPlain && !isOneOf(one, Object.keys(NOT_FOR_LIBAVIF))
  })
  test.each(comparable.map((one) => [one.path, one] as const))('%s', async (_, one) => {
    const picture = pictureIn(one)
    const ours = await thumbnailOf(picture)
    expect(psnr(new Uint8Array(ours.rgba), await byLibavif(picture.bytes, ours)), 'in dB').toBeGreaterThanOrEqual(35)
  })
})

describe.skipIf(!hasCorpus)(
  'an AVIF of the corpus gives a picture, or where that is allowed a refusal, in time',
  () => {
    test.each(pictures.map((one) => [one.path, one] as const))('%s', async (_, { file, expected }) => {
      const start = performance.now()
      try {
        const bytes = new Uint8Array(file)
        const facts = probe(bytes)
        if (facts) expect((await thumbnailOf({ bytes, facts })).rgba.length).toBeGreaterThan(0)
      } catch (error) {
        if (!(error instanceof ImageRefusal)) throw error
        expect(expected).not.toBe('200')
      }
      expect(performance.now() - start).toBeLessThan(LONGEST_MS)
    })
  },
)
