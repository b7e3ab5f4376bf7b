import sharp from 'sharp'
import { expect, test } from 'vitest'
import { cjpeg } from './cjpeg.ts'
import { accepted, decode, decodePlanes, newCodec } from './decoder.ts'
import { photo, planesToRgb, psnr } from './images.ts'
import { golden } from './sharp.ts'

const image = photo(333, 251, 3)
const codec = newCodec()

// Factors of Y, Cb and Cr; at most ten blocks an MCU.
const SAMPLINGS = [
  '1x1,1x1,1x1',
  '2x1,1x1,1x1',
  '1x2,1x1,1x1',
  '2x2,1x1,1x1',
  '4x1,1x1,1x1',
  '1x4,1x1,1x1',
  '4x2,1x1,1x1',
  '2x4,1x1,1x1',
  '3x1,1x1,1x1',
  '1x3,1x1,1x1',
  '2x2,2x1,2x1',
  '2x2,1x2,1x2',
  '2x2,2x2,1x1',
  '2x1,1x2,1x1',
  '2x1,1x4,1x1',
  '1x1,2x2,1x1',
  '3x2,1x2,1x1',
  '2x3,2x1,1x1',
  '1x1,1x1,2x2',
  '2x2,1x4,1x1',
  '4x1,2x1,1x4',
  '1x2,1x4,1x1',
]
const CODINGS = { baseline: ['-baseline'], progressive: ['-progressive'], restarts: ['-restart', '3B'] }
const SIZES: [number, number][] = [
  [333, 251],
  [160, 120],
  [41, 30],
]

for (const [coding, options] of Object.entries(CODINGS)) {
  for (const sampling of SAMPLINGS) {
    test(`${coding} with factors ${sampling}`, async () => {
      const file = cjpeg(image, '-sample', sampling, ...options)
      for (const size of SIZES) {
        const { bytes } = accepted(decode(codec, file, { size }))
        const original = await sharp(image.bytes, { raw: image })
          .resize(...size, { fit: 'fill' })
          .raw()
          .toBuffer()
        const whole = await golden(file, ...size).catch(() => undefined)
        // Where libjpeg cannot decode the factors, compare with the original.
        const ratio = psnr(bytes, 4, whole ?? original, 3)
        const least = whole === undefined ? 32 : 40
        const yardstick = whole === undefined ? 'original' : 'golden'
        expect(ratio, `dB at ${size.join(' x ')}, ${yardstick}`).toBeGreaterThanOrEqual(least)
      }
    })
  }
}

for (const sampling of SAMPLINGS) {
  test(`macroblock rows of full size with factors ${sampling}`, () => {
    const file = cjpeg(image, '-sample', sampling)
    const size: [number, number] = [image.width, image.height]
    const planes = accepted(decodePlanes(codec, file, { size }))
    const ratio = psnr(planesToRgb(planes), 3, accepted(decode(codec, file, { size })).bytes, 4)
    expect(ratio, 'dB').toBeGreaterThanOrEqual(38)
  })
}
