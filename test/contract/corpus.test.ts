import { basename } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { type CorpusFile, listCorpus } from '../support/corpus.ts'
import { sharedApi } from './support/api.ts'
import { fitted } from './support/appearance.ts'
import { header } from './support/client.ts'
import { inParallel } from './support/in-parallel.ts'
import { file } from './support/multipart-body.ts'
import { expectTrueReport, likeness } from './support/optimization-report.ts'
import { expectTextError, expectUploaded } from './support/responses.ts'

const api = sharedApi()

/**
 * Files that the corpus expects as other decoders treat them. PNGs whose pixels are truncated, and a GIF beyond its
 * canvas, follow Chromium.
 */
const AS_IN_CHROMIUM: Record<string, Partial<CorpusFile>> = {
  'dvyukov+go-fuzz-corpus/png/corpus/4930d001f211f78029c9deace8bb8671e27a5397-4': { expected: [200] },
  'dvyukov+go-fuzz-corpus/png/corpus/62240a0acb24ab2881c965af977424c680a2515a-7': { expected: [200] },
  'google+wuffs/hippopotamus.regular.truncated.png': { expected: [200] },
  'robert-ancell+pygif/test-suite/image-outside-bg.gif': { shownWidth: 4, shownHeight: 4 },
}
const all = listCorpus().map((one) => ({ ...one, ...AS_IN_CHROMIUM[one.path] }))
/**
 * `npm run tintype -- hostile` sets it, and every file is sent. Otherwise every fifth of the files with equal format,
 * size and expectation is sent, and every eighth of the large ones. The codec's own tests decode all files.
 */
const IS_LONG = process.env.HOSTILE_FILES !== undefined
const LARGE_PIXELS = 250_000
const isLarge = ({ width, height }: CorpusFile) => width * height > LARGE_PIXELS
const alike = Object.values(
  Object.groupBy(all, (one) => `${one.format} ${one.expected.join()} ${isLarge(one) ? 'large' : 'small'}`),
)
const files = alike.flatMap((some = []) => some.filter((one, at) => IS_LONG || at % (isLarge(one) ? 8 : 5) === 0))

/** Files that the other library shows differently, and why the thumbnail is right. */
const UNLIKE_FOR_A_REASON: Record<string, string> = {
  'AOMediaCodec+av1-avif/Microsoft/Chimera_10bit_cropped_to_1920x1008.avif': 'it crops to the clean aperture (clap)',
  'AOMediaCodec+libavif/abc_color_irot_alpha_NOirot.avif': 'it does not turn the alpha with the colours',
  'AOMediaCodec+libavif/color_grid_alpha_grid_gainmap_nogrid.avif': 'it takes PQ for SDR',
  'AOMediaCodec+libavif/color_grid_gainmap_different_grid.avif': 'it takes PQ for SDR',
  'AOMediaCodec+libavif/colors_text_hdr_p3.avif': 'it takes PQ for SDR',
  'AOMediaCodec+libavif/colors_text_hdr_rec2020.avif': 'it takes PQ for SDR',
  'AOMediaCodec+libavif/seine_hdr_gainmap_small_srgb.avif': 'it takes PQ for SDR',
  'SerenityOS+serenity/jpg/ycck-1111.jpg': 'it guesses a press profile for CMYK',
  'link-u+avif-sample-images/red-at-12-oclock-with-color-profile-10bpc.avif': 'it shows 8 and 10 bits differently',
}

/** Uploads a file. Returns sentences about the faults of the response. */
async function complaint(one: CorpusFile, optimize: '0' | '1'): Promise<string[]> {
  try {
    await judge(one, optimize)
    return []
  } catch (error) {
    return [`${one.path} (optimize_for_web=${optimize}): ${error instanceof Error ? error.message : error}`]
  }
}

async function judge(one: CorpusFile, optimize: '0' | '1'): Promise<void> {
  const bytes = Buffer.from(one.read())
  const img = file(basename(one.path).replaceAll('"', '%22'), bytes)
  const response = await api.uploadImage({ img, content_type: '0', optimize_for_web: optimize })
  if (!one.expected.includes(response.status)) {
    throw new Error(`expected ${one.expected.join(' or ')}: got ${response.status} ${response.text}`)
  }
  if (response.status !== 200) return expectTextError(response, response.status)

  const image = expectUploaded(response)
  const thumbnail = await api.follow(image.thumbnailUrl)
  expect(header(thumbnail, 'content-type')).toBe('image/webp')
  const { width, height } = await sharp(thumbnail.bytes).metadata()
  expect({ width, height }, 'the size of the thumbnail').toEqual(image.thumbnail)
  if (one.shownWidth > 0 && one.expected.join() === '200') {
    expect(image.thumbnail).toEqual(fitted(one.shownWidth, one.shownHeight, 200))
  }
  if (isComparable(one)) {
    // Files that the other library cannot read are not compared.
    const decibels = await likeness(thumbnail.bytes, bytes, 24).catch(() => Number.POSITIVE_INFINITY)
    expect(decibels, 'likeness to what another library shows, in dB').toBeGreaterThan(25)
  }
  if (optimize === '1') {
    const mediaType = String(image.optimization?.source_mime)
    if (one.expected.join() === '200') expect(mediaType).toBe(`image/${one.format}`)
    await expectTrueReport(api, { bytes, mediaType }, image)
  } else {
    expect((await api.follow(image.originalUrl)).bytes.equals(bytes), 'stored byte for byte').toBe(true)
  }
}

/**
 * Returns whether a file is a photograph that is large enough for a thumbnail. Fine graphics lose too much colour in
 * any lossy WebP to be compared.
 */
function isComparable({ path, format, expected, shownWidth }: CorpusFile): boolean {
  const photograph = /^(jpeg|webp|avif)$/.test(format) && shownWidth >= 200
  return photograph && expected.join() === '200' && !(path in UNLIKE_FOR_A_REASON)
}

describe.skipIf(files.length === 0)(`${files.length} of ${all.length} real and broken files (needs the corpus)`, () => {
  const kindOf = ({ format }: CorpusFile) => (/^(jpeg|png|gif|webp|avif)$/.test(format) ? format : 'other')
  test.for([...new Set(files.map(kindOf))])(
    '%s with optimize_for_web=1: no 5xx, all within the expected set',
    async (kind) => {
      const some = files.filter((one) => kindOf(one) === kind)
      const complaints = await inParallel(some, 4, (one) => complaint(one, '1'))
      expect(complaints.flat()).toEqual([])
    },
  )

  test('every twentieth file without it', async () => {
    const complaints = await inParallel(
      files.filter((_, at) => at % 20 === 0),
      4,
      (one) => complaint(one, '0'),
    )
    expect(complaints.flat()).toEqual([])
  })
})
