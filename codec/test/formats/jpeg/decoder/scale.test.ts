import { expect, test } from 'vitest'
import { accepted, decode, newCodec } from './decoder.ts'
import { photo, psnr } from './images.ts'
import { golden, toJpeg } from './sharp.ts'

const image = photo(720, 528)
const codec = newCodec()

for (const progressive of [false, true]) {
  const file = await toJpeg(image, { progressive })
  for (let sixteenths = 1; sixteenths <= 16; sixteenths++) {
    const size: [number, number] = [(image.width * sixteenths) / 16, (image.height * sixteenths) / 16]
    const kind = progressive ? 'progressive' : 'baseline'
    test(`a ${kind} photograph at ${sixteenths}/16, decoded at N = ${Math.min(8, sixteenths)}, is golden`, async () => {
      const { bytes } = accepted(decode(codec, file, { size }))
      const ratio = psnr(bytes, 4, await golden(file, ...size), 3)
      expect(ratio, 'dB').toBeGreaterThanOrEqual(40)
    })
  }
  for (let points = 1; points <= 8; points++) {
    const size: [number, number] = [(image.width * points) / 8, (image.height * points) / 8]
    test(`a ${progressive ? 'progressive' : 'baseline'} photograph decoded to just ${points}/8 is golden`, async () => {
      const { bytes } = accepted(decode(codec, file, { size, oversampling: 1 }))
      const ratio = psnr(bytes, 4, await golden(file, ...size), 3)
      expect(ratio, 'dB').toBeGreaterThanOrEqual(40)
    })
  }
}
