import { describe, expect, test } from 'vitest'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { cwebp, dwebp } from '../../webp-lossless/decoder/libwebp.ts'
import { noisePicture, palettePicture, photoPicture } from '../../webp-lossless/decoder/made-pictures.ts'
import { decodeAlpha, newDecoder } from './decoder.ts'
import { alphasOf, withVariedAlpha } from './webp-files.ts'

const decoder = newDecoder()

function assertSameAlphas(file: Buffer): void {
  const alpha = webpChunk(file, 'ALPH') ?? expect.fail('no ALPH chunk')
  const expected = dwebp(file) ?? expect.fail('dwebp refused it')
  const { status, samples } = decodeAlpha(decoder, alpha, expected.width, expected.height)
  expect(status).toBe(Status.Ok)
  expect(samples.equals(alphasOf(expected))).toBe(true)
}

describe('alphas are those of dwebp when they are encoded with', async () => {
  const pictures = [
    await photoPicture(133, 71, 1, true),
    palettePicture(133, 71, 5, 2),
    noisePicture(133, 71, 3),
    await photoPicture(1, 1, 4, true),
    await photoPicture(1, 40, 4, true),
    await photoPicture(40, 1, 4, true),
  ].map(withVariedAlpha)
  for (const method of [0, 1]) {
    for (const filter of ['none', 'fast', 'best']) {
      for (const quality of [100, 40, 0]) {
        const options = `-alpha_method ${method} -alpha_filter ${filter} -alpha_q ${quality}`
        test(options, () => {
          for (const picture of pictures) assertSameAlphas(cwebp(picture, `-q 60 ${options}`))
        })
      }
    }
  }
})
