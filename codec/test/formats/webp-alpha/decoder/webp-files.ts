import { webpChunk, webpFile } from '../../../../../test/support/webp.ts'
import { noiseImage, paletteImage, photoImage, type TestImage } from '../../webp-lossless/decoder/made-images.ts'
import { fromPixels } from '../../webp-lossless/decoder/sharp.ts'
import type { Chunks } from './decoder.ts'

/** A lossy WebP with alpha. `quality` is 1 to 100, `alphaQuality` 0 to 100. */
export function lossyWebp(image: TestImage, quality: number, alphaQuality = 100): Promise<Buffer> {
  return fromPixels(image).webp({ quality, alphaQuality, effort: 2 }).toBuffer()
}

/** Returns the chunks of a file that the decoder reads; undefined if it has no lossy frame or no alpha. */
export function chunksOf(file: Buffer): Chunks | undefined {
  const frame = webpChunk(file, 'VP8 ')
  const alpha = webpChunk(file, 'ALPH')
  return frame && alpha && { frame, alpha }
}

/** The payload of an ALPH chunk that has an image's alphas neither filtered nor compressed. */
export function plainAlphas(image: TestImage): Buffer {
  return Buffer.concat([Buffer.of(0), alphasOf(image)])
}

/** The alphas alone, row by row. */
export function alphasOf({ rgba }: TestImage): Buffer {
  return Buffer.from(rgba.filter((_, i) => i % 4 === 3))
}

/** An extended WebP file of a frame and its alphas. */
export function extendedWebp(width: number, height: number, frame: Buffer, alpha: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head[0] = 0x10
  head.writeUIntLE(width - 1, 4, 3)
  head.writeUIntLE(height - 1, 7, 3)
  return webpFile(['VP8X', head], ['ALPH', alpha], ['VP8 ', frame])
}

/** Returns images of each kind of content, and of one row or column, with alphas that vary. */
export async function imagesWithAlpha(): Promise<TestImage[]> {
  const images = [
    await photoImage(133, 71, 1, true),
    paletteImage(133, 71, 5, 2),
    noiseImage(133, 71, 3),
    await photoImage(1, 1, 4, true),
    await photoImage(1, 40, 4, true),
    await photoImage(40, 1, 4, true),
  ]
  return images.map(withVariedAlpha)
}

/** Returns an image with other alphas than 255: encoders leave those out. */
export function withVariedAlpha({ width, height, rgba }: TestImage): TestImage {
  const copy = Buffer.from(rgba)
  for (let i = 0; i < width * height; i++) copy[i * 4 + 3] = ((copy[i * 4 + 1] ?? 0) >> 1) + (i % 7)
  return { width, height, rgba: copy }
}
