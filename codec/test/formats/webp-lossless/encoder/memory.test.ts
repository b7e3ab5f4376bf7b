import { describe, expect, test } from 'vitest'
import { noiseImage } from '../decoder/made-images.ts'
import { CODINGS, encoder, webp } from './encoder.ts'

const MEGABYTE = 1_000_000
const SIDE = 3840

/** The canvas of an interlaced PNG of 16 megapixels. */
const CANVAS_BYTES = 64 * MEGABYTE

/** Begins an image as a job does, beside so many bytes. Returns the most memory that its tables take. */
function megabytesOf(width: number, height: number, coding: number, besideBytes: number): number {
  encoder.reset()
  const row = encoder.allocate(4 * width + 64)
  encoder.startLosslessSurvey(width)
  encoder.surveyLosslessRow(row)
  encoder.reset()
  encoder.allocate(4 * width + 64)
  encoder.allocate(besideBytes)
  encoder.startLossless(width, height, coding)
  return (encoder.peakBytes() - besideBytes) / MEGABYTE
}

describe('with all that a job has, tables of other codecs too, and without its stream', () => {
  test.for(Object.entries(CODINGS))(`beside a canvas of 64 MB an image takes less than 11.2 MB: %s`, ([, coding]) => {
    expect(megabytesOf(SIDE, SIDE, coding, CANVAS_BYTES), 'MB').toBeLessThan(11.2)
    expect(megabytesOf(512, 512, coding, CANVAS_BYTES), 'MB').toBeLessThan(11.2)
  })

  test.for(Object.entries(CODINGS))(
    'alone an image takes less than 20.5 MB, predicted less than 13.8 MB: %s',
    ([name, coding]) => {
      const most = name.startsWith('predicted') ? 13.8 : 20.5
      expect(megabytesOf(SIDE, SIDE, coding, 0), 'MB').toBeLessThan(most)
      expect(megabytesOf(512, 512, coding, 0), 'MB').toBeLessThan(most)
    },
  )

  test('coding and joining its parts takes no more: one of noise, whose stream is a megabyte', () => {
    const image = noiseImage(512, 512, 1)
    encoder.reset()
    encoder.allocate(4 * image.width + 64)
    encoder.startLossless(image.width, image.height, CODINGS.direct)
    const begun = encoder.peakBytes()
    webp(image, CODINGS.direct)
    expect(encoder.streamBytes(), 'bytes').toBeGreaterThan(MEGABYTE)
    expect((encoder.peakBytes() - begun - encoder.streamBytes()) / MEGABYTE, 'MB').toBeLessThan(0.3)
  })
})
