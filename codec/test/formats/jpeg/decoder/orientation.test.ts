import sharp from 'sharp'
import { expect, test } from 'vitest'
import { accepted, decode, decodePlanes, newCodec, padded } from './decoder.ts'
import { photo, planesToRgb, psnr } from './images.ts'
import { asRgb } from './segments.ts'
import { toJpeg } from './sharp.ts'

const codec = newCodec()

/** Returns sharp's pixels of the file, rotated as by its EXIF, RGB. */
async function upright(file: Uint8Array, orientation: number, width: number, height: number): Promise<Uint8Array> {
  const { data, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true })
  const png = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .withMetadata({ orientation })
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return sharp(png).autoOrient().resize(width, height, { fit: 'fill' }).raw().toBuffer()
}

const image = photo(211, 150, 5)
for (const [kind, options] of Object.entries({
  '4:2:0': {},
  '4:4:4': { chromaSubsampling: '4:4:4' },
  progressive: { progressive: true },
})) {
  const file = await toJpeg(image, options)
  for (let orientation = 1; orientation <= 8; orientation++) {
    const size: [number, number] = orientation >= 5 ? [75, 105] : [105, 75]
    const odd: [number, number] = orientation >= 5 ? [149, 211] : [211, 149]
    test(`${kind}, orientation ${orientation}: the image is upright`, async () => {
      const { bytes } = accepted(decode(codec, file, { size, orientation }))
      const ratio = psnr(bytes, 4, await upright(file, orientation, ...size), 3)
      expect(ratio, 'dB').toBeGreaterThanOrEqual(40)
    })
    test(`${kind}, orientation ${orientation}: the macroblock rows are upright, and padded by their edge`, async () => {
      for (const wanted of [size, odd]) {
        const { bytes, width, height } = accepted(decodePlanes(codec, file, { size: wanted, orientation }))
        expect(codec.macroblockRowsTaken()).toBe(padded(height) / 16)
        const ratio = psnr(planesToRgb({ bytes, width, height }), 3, await upright(file, orientation, width, height), 3)
        expect(ratio, `dB at ${wanted.join(' x ')}`).toBeGreaterThanOrEqual(37)
        const stride = padded(width)
        expect(bytes[stride - 1]).toBe(bytes[width - 1])
        expect(bytes[(padded(height) - 1) * stride]).toBe(bytes[(height - 1) * stride])
      }
    })
  }
}

test('RGB and gray files become macroblock rows too', async () => {
  const rgb = await toJpeg(image, { chromaSubsampling: '4:4:4' })
  for (const grey of [false, true]) {
    const file = grey ? new Uint8Array(await sharp(rgb).greyscale().jpeg({ quality: 95 }).toBuffer()) : asRgb(rgb)
    for (const orientation of [1, 3, 8]) {
      const size: [number, number] = orientation >= 5 ? [75, 105] : [105, 75]
      const image = accepted(decode(codec, file, { size, orientation }))
      const planes = accepted(decodePlanes(codec, file, { size, orientation, oversampling: 2 }))
      const ratio = psnr(image.bytes, 4, planesToRgb(planes), 3)
      expect(ratio, `dB, orientation ${orientation}, grey ${grey}`).toBeGreaterThanOrEqual(33)
    }
  }
})
