import createJpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import jpegDecoderModule from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
import createJpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js'
import jpegEncoderModule from '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'
import { defaultOptions as JPEG_DEFAULTS } from '@jsquash/jpeg/meta.js'
import createWebpDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import webpDecoderModule from '@jsquash/webp/codec/dec/webp_dec.wasm'
import createWebpEncoder from '@jsquash/webp/codec/enc/webp_enc_simd.js'
import webpEncoderModule from '@jsquash/webp/codec/enc/webp_enc_simd.wasm'
import { defaultOptions as WEBP_DEFAULTS } from '@jsquash/webp/meta.js'
import type { Raster } from '../src/pixels/raster.ts'
import { type Decoder, rasterOf, sharedCodec } from './shared-codec.ts'

/** Codecs of other people, to make and to read images with. */

interface Encoder<Options> {
  encode(rgba: Uint8ClampedArray, width: number, height: number, options: Options): Uint8Array | null
}

const useJpegDecoder = sharedCodec<Decoder>('JPEG', createJpegDecoder, jpegDecoderModule)
const useWebpDecoder = sharedCodec<Decoder>('WebP', createWebpDecoder, webpDecoderModule)
const useJpegEncoder = sharedCodec<Encoder<typeof JPEG_DEFAULTS>>('JPEG', createJpegEncoder, jpegEncoderModule)
const useWebpEncoder = sharedCodec<Encoder<typeof WEBP_DEFAULTS>>('WebP', createWebpEncoder, webpEncoderModule)

/** Gray, YCbCr or RGB, as coded: not turned. */
export function decodeJpeg(bytes: Uint8Array): Promise<Raster> {
  return useJpegDecoder((codec) => rasterOf(codec.decode(bytes, false)))
}

/** A still WebP. */
export function decodeWebp(bytes: Uint8Array): Promise<Raster> {
  return useWebpDecoder((codec) => rasterOf(codec.decode(bytes)))
}

export function encodeJpeg({ rgba, width, height }: Raster, quality: number): Promise<Uint8Array> {
  return useJpegEncoder((codec) => codec.encode(rgba, width, height, { ...JPEG_DEFAULTS, quality }))
}

/** Lossy; alpha is kept without loss where a pixel is see-through. */
export function encodeLossyWebp({ rgba, width, height }: Raster, quality: number): Promise<Uint8Array> {
  return useWebpEncoder((codec) => codec.encode(rgba, width, height, { ...WEBP_DEFAULTS, quality }))
}
