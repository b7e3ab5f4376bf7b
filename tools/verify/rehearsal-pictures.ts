// Images that are made without a codec, for `npm run rehearse`: what counts is how much they ask of a Worker.
import { randomFillSync } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const RGB = 3

/** A PNG of noise that takes nearly so many bytes: no two are the same. */
export function noisyPng(bytes: number) {
  const side = Math.floor(Math.sqrt((bytes * 0.99) / RGB))
  const rows = Buffer.alloc(side * (1 + side * RGB))
  randomFillSync(rows)
  // Each row begins with its filter.
  for (let row = 0; row < side; row++) rows[row * (1 + side * RGB)] = 0
  return pngOf(side, side, deflateSync(rows, { level: 0 }))
}

/** A PNG of one colour and this many pixels. */
export function plainPng(width: number, height: number) {
  const rows = Buffer.alloc(height * (1 + width * RGB), 0x60)
  for (let row = 0; row < height; row++) rows[row * (1 + width * RGB)] = 0
  return pngOf(width, height, deflateSync(rows, { level: 1 }))
}

function pngOf(width: number, height: number, data: Buffer) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // 8 bits, RGB.
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([PNG, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, body: Buffer) {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  const typed = Buffer.concat([Buffer.from(type), body])
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}

/**
 * Creates a baseline JPEG of three components, all grey (ITU-T T.81). Both Huffman tables have one code of one bit, 0,
 * so each block has two bits: no difference to the previous one, and its end.
 */
export function plainJpeg(width: number, height: number) {
  const components = [1, 2, 3]
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8) * components.length
  const one = [1, ...Array(15).fill(0), 0]
  const size = (number: number) => [number >> 8, number & 0xff]
  const data = Buffer.alloc(Math.ceil((blocks * 2) / 8))
  // The bits that are left in the last byte are ones.
  const left = data.length * 8 - blocks * 2
  data[data.length - 1] = 2 ** left - 1
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array(64).fill(1)]),
    segment(0xc0, [
      8,
      ...size(height),
      ...size(width),
      components.length,
      ...components.flatMap((id) => [id, 0x11, 0]),
    ]),
    segment(0xc4, [0x00, ...one]),
    segment(0xc4, [0x10, ...one]),
    segment(0xda, [components.length, ...components.flatMap((id) => [id, 0]), 0, 63, 0]),
    data,
    Buffer.from([0xff, 0xd9]),
  ])
}

function segment(marker: number, body: number[]) {
  return Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff, ...body])
}
