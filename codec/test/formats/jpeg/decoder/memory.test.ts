import sharp from 'sharp'
import { expect, test } from 'vitest'
import { accepted, decode, newCodec } from './decoder.ts'
import { photo } from './images.ts'

// 24 megapixels: six by four copies of an image of one.
const tile = photo(1000, 1000, 6)
async function large(progressive: boolean): Promise<Uint8Array> {
  const small = await sharp(tile.bytes, { raw: tile }).png().toBuffer()
  return sharp(small).resize(6000, 4000, { kernel: 'nearest' }).jpeg({ quality: 80, progressive }).toBuffer()
}

for (const [progressive, megabytes] of [
  [false, 4],
  [true, 10],
] as const) {
  test(`24 MP ${progressive ? 'progressive' : 'baseline'} to 200 px take the file and ${megabytes} MB`, async () => {
    const file = await large(progressive)
    const codec = newCodec()
    accepted(decode(codec, file))
    const more = codec.memory.buffer.byteLength - file.length
    expect(more / 1e6, 'MB').toBeLessThanOrEqual(megabytes)
    accepted(decode(codec, file))
    expect(codec.memory.buffer.byteLength - file.length).toBe(more)
  })
}
