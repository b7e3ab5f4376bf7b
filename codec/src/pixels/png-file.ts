import { bytesBE, concat, textBytes } from '../bytes.ts'
import { PNG_SIGNATURE, pngChunk } from '../container/png-chunks.ts'
import type { Size } from '../format.ts'
import { zlibDeflate } from '../zlib.ts'

const COLOUR_TYPE_RGBA = 6

/** A PNG file as far as its pixels: RGBA, 8 bits a sample, not interlaced, with an ICC profile if there is one. */
export async function pngStart({ width, height }: Size, profile?: Uint8Array): Promise<Uint8Array> {
  const header = concat([bytesBE(width, 4), bytesBE(height, 4), Uint8Array.of(8, COLOUR_TYPE_RGBA, 0, 0, 0)])
  return concat([
    textBytes(PNG_SIGNATURE),
    pngChunk('IHDR', header),
    ...(profile ? [pngChunk('iCCP', concat([textBytes('ICC\0\0'), await zlibDeflate(profile)]))] : []),
  ])
}
