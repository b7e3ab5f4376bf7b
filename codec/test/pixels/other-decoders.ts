import createAvifDecoder from '@jsquash/avif/codec/dec/avif_dec.js'
import avifDecoderModule from '@jsquash/avif/codec/dec/avif_dec.wasm'
import sharp from 'sharp'
import { readSequence } from '../../src/container/av1-sequence.ts'
import { itemBytes, readItems } from '../../src/container/avif-items.ts'
import type { Size } from '../../src/format.ts'
import { type Decoder, rasterOf, sharedCodec } from '../shared-codec.ts'

const useAvifDecoder = sharedCodec<Decoder>('AVIF', createAvifDecoder, avifDecoderModule)

/** The whole image as sharp (libheif) decodes it, upright, at a size: RGBA. Its colour profile is not applied. */
export async function bySharp(bytes: Uint8Array, { width, height }: Size): Promise<Uint8Array> {
  const image = sharp(withoutProfile(bytes)).autoOrient().resize(width, height, { fit: 'fill' })
  const { data, info } = await image.toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  if (info.channels !== 4) throw new Error(`${info.channels} channels`)
  return isNarrowGray(bytes) ? data.map((sample, i) => (i % 4 === 3 ? sample : spread(sample))) : data
}

/** As libavif and libaom decode it, not turned, at a size: RGBA of 8 bits. */
export async function byLibavif(bytes: Uint8Array, { width, height }: Size): Promise<Uint8Array> {
  const { rgba, ...size } = await useAvifDecoder((codec) => rasterOf(codec.decode(bytes, 8)))
  return sharp(rgba, { raw: { ...size, channels: 4 } })
    .resize(width, height, { fit: 'fill' })
    .raw()
    .toBuffer()
}

/** libheif leaves gray of 16 to 235 as it is. */
function isNarrowGray(bytes: Uint8Array): boolean {
  const items = readItems(bytes)
  if (items?.primary.type !== 'av01') return false
  const { chroma, isFullRange } = readSequence(itemBytes(bytes, items.primary))
  return chroma === '4:0:0' && !isFullRange
}

function spread(sample: number): number {
  return Math.max(0, Math.min(255, Math.round(((sample - 16) * 255) / 219)))
}

/** With each colour profile's box named otherwise. */
function withoutProfile(bytes: Uint8Array): Buffer {
  const copy = Buffer.from(bytes)
  for (const kind of ['colrprof', 'colrrICC']) {
    for (let at = copy.indexOf(kind, 0, 'latin1'); at >= 0; at = copy.indexOf(kind, at + 1, 'latin1')) {
      copy.write('skip', at, 'latin1')
    }
  }
  return copy
}
