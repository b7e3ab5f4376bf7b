import { describe, expect, test } from 'vitest'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { Status } from '../../../../assembly/status.ts'
import { cwebp, dwebp } from '../../webp-lossless/decoder/libwebp.ts'
import { decodeAlpha, newDecoder } from './decoder.ts'
import { alphasOf, imagesWithAlpha } from './webp-files.ts'

const decoder = newDecoder()

function assertSameAlphas(file: Buffer): void {
  const alpha = webpChunk(file, 'ALPH') ?? expect.fail('no ALPH chunk')
  const expected = dwebp(file) ?? expect.fail('dwebp refused it')
  const { status, samples } = decodeAlpha(decoder, alpha, expected.width, expected.height)
  expect(status).toBe(Status.Ok)
  expect(samples.equals(alphasOf(expected))).toBe(true)
}

describe('alphas are those of dwebp when they are encoded with', async () => {
  const images = await imagesWithAlpha()
  for (const method of [0, 1]) {
    for (const filter of ['none', 'fast', 'best']) {
      for (const quality of [100, 40, 0]) {
        const options = `-alpha_method ${method} -alpha_filter ${filter} -alpha_q ${quality}`
        test(options, () => {
          for (const image of images) assertSameAlphas(cwebp(image, `-q 60 ${options}`))
        })
      }
    }
  }
})
