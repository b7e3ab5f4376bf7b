// PNGs that no compression makes smaller: files whose size is that of their pixels.
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)

/** A square PNG of noise, three bytes a pixel, not compressed. Each number has noise of its own. */
export function noisePng(edgePx: number, number: number) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(edgePx, 0)
  header.writeUInt32BE(edgePx, 4)
  header.set([8, 2], 8)
  const stride = 1 + 3 * edgePx
  const rows = createHash('shake256', { outputLength: edgePx * stride })
    .update(String(number))
    .digest()
  for (let y = 0; y < edgePx; y++) rows[y * stride] = 0
  const pixels = deflateSync(rows, { level: 0 })
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer) {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}
