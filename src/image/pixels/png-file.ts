import { crc32, deflateSync } from 'node:zlib'
import { bytesBE, concat, textBytes } from '../bytes.ts'
import type { Size } from '../format.ts'

const COLOUR_TYPE_RGBA = 6

/** A PNG file as far as its pixels: RGBA, 8 bits a sample, not interlaced, with an ICC profile if there is one. */
export function pngStart({ width, height }: Size, profile?: Uint8Array): Uint8Array {
  const header = concat([bytesBE(width, 4), bytesBE(height, 4), Uint8Array.of(8, COLOUR_TYPE_RGBA, 0, 0, 0)])
  return concat([
    textBytes('\x89PNG\r\n\x1a\n'),
    pngChunk('IHDR', header),
    ...(profile ? [pngChunk('iCCP', concat([textBytes('ICC\0\0'), deflateSync(profile)]))] : []),
  ])
}

/** A chunk with its length and checksum (PNG 3rd edition, 5.3). */
export function pngChunk(type: string, body: Uint8Array = new Uint8Array()): Uint8Array {
  const content = concat([textBytes(type), body])
  return concat([bytesBE(body.length, 4), content, bytesBE(crc32(content), 4)])
}
