import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { imageOf } from './made-avif.ts'
import { thumbnailOf } from './thumbnail-of.ts'

/** A layer that is coded alone, and one that is predicted from it and others (codec/test/formats/avif/decoder/matrix.ts). */
const UNITS = readFileSync(join(import.meta.dirname, '../../../test/fixtures/av1/layers-0-420-8.obu'))
const [WIDTH, HEIGHT] = [104, 88]

const u32 = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]

function box(type: string, ...parts: (Uint8Array | number[])[]): Uint8Array {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  return Buffer.concat([Buffer.from(u32(8 + body.length)), Buffer.from(type), body])
}

/** An AVIF of the layers, with another property. */
function layeredAvif(property: Uint8Array): Uint8Array {
  const full = (type: string, ...parts: (Uint8Array | number[])[]) => box(type, [0, 0, 0, 0], ...parts)
  const infe = box('infe', [2, 0, 0, 0, 0, 1, 0, 0], Buffer.from('av01\0'))
  const properties = box('ipco', full('ispe', u32(WIDTH), u32(HEIGHT)), box('av1C', [0x81, 0, 0x0c, 0]), property)
  const associated = full('ipma', u32(1), [0, 1, 3, 1, 0x82, 0x83])
  const ftyp = box('ftyp', Buffer.from('avif'), u32(0), Buffer.from('avifmif1'))
  const meta = (at: number) =>
    full(
      'meta',
      full('hdlr', u32(0), Buffer.from('pict'), new Uint8Array(13)),
      full('pitm', [0, 1]),
      full('iloc', [0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1], u32(at), u32(UNITS.length)),
      full('iinf', [0, 1], infe),
      box('iprp', properties, associated),
    )
  return new Uint8Array(Buffer.concat([ftyp, meta(ftyp.length + meta(0).length + 8), box('mdat', UNITS)]))
}

const shown = async (property: Uint8Array) => (await thumbnailOf(imageOf(layeredAvif(property)))).rgba
const lsel = (layer: number) => box('lsel', [layer >> 8, layer & 255])

test('of an image in layers the highest is shown, or the one that is selected, or the first of an operating point', async () => {
  const [highest, first] = await Promise.all([shown(lsel(1)), shown(lsel(0))])
  expect(first).not.toEqual(highest)
  expect(await shown(lsel(0xffff))).toEqual(highest)
  expect(await shown(box('a1op', [0]))).toEqual(highest)
  // An operating point that says nothing of layers has them all, each an image of its own.
  expect(await shown(box('a1op', [1]))).toEqual(first)
})
