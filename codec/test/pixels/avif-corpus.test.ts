import { describe, expect, test } from 'vitest'
import { colourTransform } from '../../src/colours/cicp.ts'
import { findAvifObus } from '../../src/pixels/avif-obus.ts'
import type { Raster } from '../../src/pixels/raster.ts'
import { probe } from '../../src/probe.ts'
import type { ProbedImage } from '../../src/probed-image.ts'
import { ImageRefusal } from '../../src/refusal.ts'
import { type CorpusImage, corpusImages, hasCorpus } from '../corpus.ts'
import { countRounds, roundsOf } from '../counted-codecs.ts'
import { psnr } from '../psnr.ts'
import { byLibavif, bySharp } from './other-decoders.ts'
import { thumbnailOf } from './thumbnail-of.ts'

countRounds()

/** Rounds of the codecs' loops for one file; the worst one takes 155 million. */
const MOST_LOOPS = 500_000_000

/** Where sharp shows something else on purpose or by mistake. */
const NOT_LIKE_SHARP: Record<string, string> = {
  'Chimera_10bit_cropped_to_1920x1008.avif': 'it crops by clap',
  'clap_irot_imir_non_essential.avif': 'it crops by clap',
  'abc_color_irot_alpha_NOirot.avif': 'it turns the colours but not the alpha',
  'bbb_alpha_inverted.avif': 'it does not spread an alpha of 16 to 235',
  'draw_points_idat_progressive.avif':
    'it shows a layer that is predicted from another; the service shows that other one',
}
/** No image to sharp. */
const NOT_FOR_SHARP = [
  'quebec_3layer_op2.avif',
  'alpha_video.avif',
  'colors-animated-8bpc-depth-exif-xmp.avif',
  'poc_b_506387278.avif',
]
const NOT_FOR_LIBAVIF: Record<string, string> = {
  'colors-animated-8bpc-depth-exif-xmp.avif': 'it takes its depth for alpha',
  'poc_b_506387278.avif': 'of its two frames it gives none',
  'bbb_alpha_inverted.avif': 'it takes more memory than there is',
}

function isOneOf({ path }: CorpusImage, names: readonly string[]): boolean {
  return names.some((name) => path.endsWith(`/${name}`))
}

/** Whether sharp shows it as it should be shown; it leaves colours as they are. */
function isForSharp(one: CorpusImage, { bytes }: ProbedImage): boolean {
  const isLikeSharp = one.expected === '200' && !isOneOf(one, [...Object.keys(NOT_LIKE_SHARP), ...NOT_FOR_SHARP])
  return isLikeSharp && !isOfOtherColours(bytes)
}

/** Whether its colours are converted, which `avif-chromium.node.test.ts` is about. */
function isOfOtherColours(bytes: Uint8Array): boolean {
  const { nclx, hasProfile } = findAvifObus(bytes)
  return nclx !== undefined && !hasProfile && colourTransform(nclx, undefined) !== undefined
}

/** Whether libavif, which does not rotate, decodes to the same 8 bits. */
function isForLibavif(one: CorpusImage, { bytes, facts }: ProbedImage): boolean {
  const isPlain = facts.format === 'avif' && facts.bitDepth === 8 && facts.orientation === 1 && !isOfOtherColours(bytes)
  return one.expected === '200' && isPlain && !isOneOf(one, Object.keys(NOT_FOR_LIBAVIF))
}

describe.skipIf(!hasCorpus)(
  'an AVIF of the corpus looks as sharp or libavif shows it, or where that is allowed is refused; it costs what its pixels do (needs the corpus)',
  () => {
    test.each(corpusImages('avif').map((one) => [one.path, one] as const))('%s', async (_, one) => {
      const { rounds: loops, result } = await roundsOf(() => thumbnailOrRefusal(one))
      expect(loops).toBeLessThan(MOST_LOOPS)
      if (result === undefined) return expect(one.expected).not.toBe('200')
      const { image, thumbnail } = result
      const rgba = new Uint8Array(thumbnail.rgba)
      expect(rgba.length).toBeGreaterThan(0)
      const likeSharp = isForSharp(one, image) ? psnr(rgba, await bySharp(image.bytes, thumbnail)) : undefined
      expect(likeSharp ?? 30, 'dB to sharp').toBeGreaterThanOrEqual(30)
      // One yardstick does where it is so near.
      if ((likeSharp ?? 0) < 35 && isForLibavif(one, image)) {
        expect(psnr(rgba, await byLibavif(image.bytes, thumbnail)), 'dB to libavif').toBeGreaterThanOrEqual(35)
      }
    })
  },
)

async function thumbnailOrRefusal({
  file,
}: CorpusImage): Promise<{ image: ProbedImage; thumbnail: Raster } | undefined> {
  try {
    // A copy: Node's buffers may share memory.
    const bytes = new Uint8Array(file)
    const facts = probe(bytes)
    return facts && { image: { bytes, facts }, thumbnail: await thumbnailOf({ bytes, facts }) }
  } catch (error) {
    if (error instanceof ImageRefusal) return undefined
    throw error
  }
}
