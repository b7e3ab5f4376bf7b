import { crc32, inflateSync } from 'node:zlib'
import type { PngParts } from './decoder.ts'

/**
 * Splits a PNG file into the parts that the decoder takes. Returns undefined for a file without a signature, with a
 * chunk cut short, or with a wrong checksum in a critical chunk. IDAT chunks must follow each other, and their pixels
 * must inflate.
 */
export function pngParts(file: Buffer): PngParts | undefined {
  if (file.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined
  const first = new Map<string, Buffer>()
  const data: Buffer[] = []
  let previous = ''
  let at = 8
  while (at + 12 <= file.length && previous !== 'IEND') {
    const end = at + 12 + file.readUInt32BE(at)
    if (end > file.length) return undefined
    const name = file.toString('latin1', at + 4, at + 8)
    const payload = file.subarray(at + 8, end - 4)
    const isCritical = name.charCodeAt(0) < 97
    if (isCritical && crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return undefined
    if (name === 'IDAT') {
      if (data.length > 0 && previous !== 'IDAT') return undefined
      data.push(payload)
    } else if (!first.has(name)) first.set(name, payload)
    previous = name
    at = end
  }
  const ihdr = first.get('IHDR')
  if (!ihdr) return undefined
  try {
    return { ihdr, plte: first.get('PLTE'), trns: first.get('tRNS'), idats: [inflateSync(Buffer.concat(data))] }
  } catch {
    return undefined
  }
}
