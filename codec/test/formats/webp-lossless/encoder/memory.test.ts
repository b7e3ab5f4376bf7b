import { describe, expect, test } from 'vitest'
import { noiseImage } from '../decoder/made-images.ts'
import { CODINGS, encoder, webp } from './encoder.ts'

const MEGABYTE = 1_000_000
const SIDE = 3840

describe('with all that a job has, tables of other codecs too, and without its stream', () => {
  test.for(Object.entries(CODINGS))(`${SIDE} x ${SIDE} pixels take less than 11.2 MB: %s`, ([, coding]) => {
    encoder.reset()
    const row = encoder.allocate(4 * SIDE + 64)
    encoder.startLosslessSurvey(SIDE)
    encoder.surveyLosslessRow(row)
    encoder.reset()
    encoder.allocate(4 * SIDE + 64)
    encoder.startLossless(SIDE, SIDE, coding)
    expect(encoder.peakBytes() / MEGABYTE, 'MB').toBeLessThan(11.2)
  })

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
