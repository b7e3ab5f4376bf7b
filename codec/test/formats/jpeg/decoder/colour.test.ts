import sharp from 'sharp'
import { expect, test } from 'vitest'
import { accepted, decode, newCodec } from './decoder.ts'
import { assertGolden } from './golden.ts'
import { photo } from './images.ts'
import { asRgb, without } from './segments.ts'
import { toJpeg } from './sharp.ts'

const codec = newCodec()
const image = photo(300, 200, 9)
const SIZE: [number, number] = [150, 100]

/** The file with the components of frame and scans renamed. */
function renamed(file: Uint8Array, names: readonly number[]): Uint8Array {
  const copy = file.slice()
  for (let at = 2; at < copy.length && copy[at] === 0xff; ) {
    const marker = copy[at + 1] ?? 0
    const [first, step] = marker === 0xda ? [5, 2] : [10, 3]
    for (const [i, name] of marker === 0xc0 || marker === 0xda ? names.entries() : [])
      copy[at + first + step * i] = name
    if (marker === 0xda) return copy
    at += 2 + ((copy[at + 2] ?? 0) << 8) + (copy[at + 3] ?? 0)
  }
  return copy
}

/** Files that neither a JFIF nor an Adobe segment tells the colours of. */
const untold = async (chromaSubsampling: string) =>
  without(without(await toJpeg(image, { quality: 92, chromaSubsampling }), 0xe0), 0xee)

test('grayscale', async () => {
  const file = await sharp(image.bytes, { raw: image }).greyscale().jpeg({ quality: 92 }).toBuffer()
  await assertGolden(codec, file, SIZE, 40)
})
test('RGB told by the Adobe segment', async () => assertGolden(codec, asRgb(await untold('4:4:4')), SIZE, 40))
test('RGB told by the names R, G and B', async () =>
  assertGolden(codec, renamed(await untold('4:4:4'), [82, 71, 66]), SIZE, 40))
test('YCbCr by default, whatever the names', async () =>
  assertGolden(codec, renamed(await untold('4:2:0'), [7, 8, 9]), SIZE, 40))
test('an alpha of 255', async () => {
  const { bytes } = accepted(decode(codec, await toJpeg(image), { size: SIZE }))
  expect(bytes.every((byte, i) => i % 4 !== 3 || byte === 255)).toBe(true)
})

for (const progressive of [false, true]) {
  test(`CMYK as Adobe writes it, ${progressive ? 'progressive' : 'baseline'}, has the colours that browsers show`, async () => {
    const file = await sharp(image.bytes, { raw: image })
      .toColourspace('cmyk')
      .jpeg({ quality: 95, progressive })
      .toBuffer()
    await assertGolden(codec, file, SIZE, 40)
  })
}
