import { describe, expect, test } from 'vitest'
import { corpusImages, hasCorpus } from '../../../corpus.ts'
import { accepted, decode, newCodec } from './decoder.ts'
import { psnr } from './images.ts'
import { golden, thumbnail } from './sharp.ts'

const codec = newCodec()

describe('a JPEG of the corpus', { skip: !hasCorpus }, () => {
  for (const { path, file, expected } of corpusImages('jpeg')) {
    if (expected === '200') {
      test(`${path} is within 30 dB of libvips`, async () => {
        const { width, height, bytes } = accepted(decode(codec, file))
        const ratio = Math.max(
          psnr(bytes, 4, await golden(file, width, height), 3),
          psnr(bytes, 4, await thumbnail(file, width, height), 3),
        )
        expect(ratio, 'dB').toBeGreaterThanOrEqual(30)
      })
    } else if (expected === '422') {
      test(`${path} is refused`, () => expect(typeof decode(codec, file)).toBe('number'))
    } else {
      test(`${path} returns an image or a status`, () => {
        decode(codec, file)
      })
    }
  }
})
