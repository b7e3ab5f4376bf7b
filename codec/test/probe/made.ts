/** Images made byte by byte: headers that are right, or wrong in one place. Their pixels are of no account. */

import { ihdrChunk, pngOfChunks, pngChunk as wholePngChunk } from '../../../test/support/png.ts'
import { riffChunk } from '../../../test/support/webp.ts'
import { bytesBE, bytesLE, concat, textBytes } from '../../src/bytes.ts'
import { orientationExif } from '../../src/exif.ts'
import type { Orientation } from '../../src/format.ts'

type Part = Uint8Array | string | readonly number[]

/** Parts one after the other: bytes, numbers of a byte each, or texts. */
export function join(...parts: Part[]): Uint8Array {
  return concat(parts.map((part) => (typeof part === 'string' ? textBytes(part) : Uint8Array.from(part))))
}

export { bytesBE, bytesLE, orientationExif }

// JPEG (ITU T.81, annex B)

export function segment(marker: number, ...body: Part[]): Uint8Array {
  const content = join(...body)
  return join([0xff, marker], bytesBE(content.length + 2, 2), content)
}

export const SOI = Uint8Array.of(0xff, 0xd8)
export const EOI = Uint8Array.of(0xff, 0xd9)

/** A frame header; every component samples 1 x 1 unless `sampling` says otherwise. */
export function frame(
  options: Partial<{ marker: number; width: number; height: number; bits: number; sampling: number[] }> = {},
) {
  const { marker = 0xc0, width = 24, height = 16, bits = 8, sampling = [0x22, 0x11, 0x11] } = options
  const components = sampling.flatMap((factors, i) => [i + 1, factors, 0])
  return segment(marker, [bits], bytesBE(height, 2), bytesBE(width, 2), [sampling.length], components)
}

/** A scan of one component with some entropy-coded data, a stuffed zero and a restart marker in it. */
export const SCAN = join(segment(0xda, [1, 1, 0, 0, 63, 0]), [1, 2, 0xff, 0, 3, 0xff, 0xd0, 4])

export function exif(orientation: Orientation): Uint8Array {
  return segment(0xe1, 'Exif\0\0', orientationExif(orientation))
}

export function jpeg(...parts: Part[]): Uint8Array {
  return join(SOI, ...parts, EOI)
}

// PNG (3rd edition, 5.3)

export function pngChunk(type: string, ...body: Part[]): Uint8Array {
  return wholePngChunk(type, join(...body))
}

/** IHDR: 8-bit RGB unless told. */
export function ihdr(
  options: Partial<{ width: number; height: number; depth: number; colourType: number; rest: number[] }> = {},
) {
  const { width = 24, height = 16, depth = 8, colourType = 2, rest = [0, 0, 0] } = options
  return ihdrChunk({ width, height, depth, colourType, methods: rest })
}

export const IDAT = pngChunk('IDAT', 'pixels')
export const IEND = pngChunk('IEND')

export function png(...chunks: Part[]): Uint8Array {
  return pngOfChunks([join(...chunks)])
}

// GIF (89a)

/** A screen of this size without a global colour table, then blocks and the trailer. */
export function gif(width: number, height: number, ...blocks: Part[]): Uint8Array {
  return join('GIF89a', bytesLE(width, 2), bytesLE(height, 2), [0, 0, 0], ...blocks, [0x3b])
}

export function gifFrame(left: number, top: number, width: number, height: number): Uint8Array {
  const area = [left, top, width, height].map((value) => bytesLE(value, 2))
  return join([0x2c], ...area, [0], [2, 2, 0x44, 0x01, 0])
}

export function graphicControl(isTransparent: boolean): Uint8Array {
  return Uint8Array.of(0x21, 0xf9, 4, isTransparent ? 1 : 0, 0, 0, 0, 0)
}

// WebP

export function webpChunk(type: string, ...body: Part[]): Uint8Array {
  return riffChunk(type, join(...body))
}

export function webp(...chunks: Part[]): Uint8Array {
  return webpChunk('RIFF', 'WEBP', ...chunks)
}

export function vp8(width = 24, height = 16): Uint8Array {
  return webpChunk('VP8 ', [0x10, 0, 0, 0x9d, 0x01, 0x2a], bytesLE(width, 2), bytesLE(height, 2), 'pixels')
}

export function vp8l(width = 24, height = 16, hasAlpha = false): Uint8Array {
  return webpChunk('VP8L', [0x2f], bytesLE(width - 1 + (height - 1) * 2 ** 14 + (hasAlpha ? 2 ** 28 : 0), 4), 'pixels')
}

export function vp8x(flags: number, width = 24, height = 16): Uint8Array {
  return webpChunk('VP8X', [flags, 0, 0, 0], bytesLE(width - 1, 3), bytesLE(height - 1, 3))
}

export function anmf(...chunks: Part[]): Uint8Array {
  return webpChunk('ANMF', new Uint8Array(16), ...chunks)
}

// AVIF (ISO/IEC 14496-12, 23008-12)

export function box(type: string, ...body: Part[]): Uint8Array {
  const content = join(...body)
  return join(bytesBE(content.length + 8, 4), type, content)
}

export function fullBox(type: string, version: number, flags: number, ...body: Part[]): Uint8Array {
  return box(type, [version], bytesBE(flags, 3), ...body)
}

export interface MadeItem {
  id: number
  type: string
  contentType?: string
  /** In idat instead of mdat. */
  inIdat?: boolean
  data?: Uint8Array
  properties?: Uint8Array[]
  references?: [type: string, ...to: number[]][]
}

export const ispe = (width = 24, height = 16) => fullBox('ispe', 0, 0, bytesBE(width, 4), bytesBE(height, 4))
/** AV1 main profile, 8 bits, 4:2:0 unless the third byte says otherwise. */
export const av1C = (third = 0x0c) => box('av1C', [0x81, 0, third, 0])
export const irot = (quarterTurnsBack: number) => box('irot', [quarterTurnsBack])
export const imir = (axis: number) => box('imir', [axis])
export const ALPHA = fullBox('auxC', 0, 0, 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0')
export const ftyp = (...brands: string[]) => box('ftyp', brands[0] ?? 'avif', [0, 0, 0, 0], ...brands)

/** A coded image of 24 x 16. */
export const IMAGE: MadeItem = { id: 1, type: 'av01', data: textBytes('pixels of it'), properties: [ispe(), av1C()] }

/** The form of the boxes; readers must accept all forms. */
export interface Layout {
  ilocVersion?: 0 | 1 | 2
  /** Bytes of each field of iloc. */
  offsetSize?: number
  baseSize?: number
  /** Extents to cut each item's data in. */
  extentCount?: number
  mdatFirst?: boolean
  /** More boxes in meta. */
  more?: Uint8Array[]
  /** Bytes of mdat that no item points at. */
  orphan?: string
}

/** An AVIF of these items, the first of them primary. */
export function avif(items: MadeItem[], layout: Layout = {}): Uint8Array {
  const brands = ftyp('avif', 'mif1')
  const inFile = items.filter(({ inIdat }) => !inIdat)
  const mdat = box('mdat', ...inFile.map(({ data }) => data ?? []), layout.orphan ?? '')
  const metaLength = meta(items, 0, layout).length
  const mdatBody = brands.length + 8 + (layout.mdatFirst ? 0 : metaLength)
  const rest = [meta(items, mdatBody, layout), mdat]
  return join(brands, ...(layout.mdatFirst ? rest.reverse() : rest))
}

function meta(items: MadeItem[], mdatBody: number, layout: Layout): Uint8Array {
  const infes = items.map(({ id, type, contentType }) =>
    fullBox('infe', 2, 0, bytesBE(id, 2), [0, 0], type, 'name\0', contentType === undefined ? '' : `${contentType}\0`),
  )
  const properties = items.flatMap((item) => item.properties ?? [])
  const references = items.flatMap(({ id, references = [] }) =>
    references.map(([type, ...to]) => box(type, ...[id, to.length, ...to].map((value) => bytesBE(value, 2)))),
  )
  const idat = items.filter(({ inIdat }) => inIdat).map(({ data }) => data ?? [])
  return fullBox(
    'meta',
    0,
    0,
    fullBox('hdlr', 0, 0, [0, 0, 0, 0], 'pict', new Uint8Array(13)),
    fullBox('pitm', 0, 0, bytesBE(items[0]?.id ?? 0, 2)),
    fullBox('iinf', 0, 0, bytesBE(infes.length, 2), ...infes),
    iloc(items, mdatBody, layout),
    box('iprp', box('ipco', ...properties), ipma(items)),
    ...(references.length > 0 ? [fullBox('iref', 0, 0, ...references)] : []),
    ...(idat.length > 0 ? [box('idat', ...idat)] : []),
    ...(layout.more ?? []),
  )
}

function ipma(items: MadeItem[]): Uint8Array {
  let index = 0
  const entries = items.map(({ id, properties = [] }) =>
    join(
      bytesBE(id, 2),
      [properties.length],
      properties.map(() => ++index),
    ),
  )
  return fullBox('ipma', 0, 0, bytesBE(items.length, 4), ...entries)
}

function iloc(
  items: MadeItem[],
  mdatBody: number,
  { ilocVersion = 1, offsetSize = 4, baseSize = 0, extentCount = 1 }: Layout,
): Uint8Array {
  const idSize = ilocVersion === 2 ? 4 : 2
  let [inFile, inIdat] = [mdatBody, 0]
  const entries = items.map((item) => {
    const length = item.data?.length ?? 0
    const start = item.inIdat ? inIdat : inFile
    if (item.inIdat) inIdat += length
    else inFile += length
    const base = baseSize > 0 ? start : 0
    const extents = Array.from({ length: length > 0 ? extentCount : 0 }, (_, i) => {
      const [from, to] = [i, i + 1].map((n) => Math.floor((length * n) / extentCount))
      return join(bytesBE(start - base + (from ?? 0), offsetSize), bytesBE((to ?? 0) - (from ?? 0), 4))
    })
    return join(
      bytesBE(item.id, idSize),
      ilocVersion > 0 ? [0, item.inIdat ? 1 : 0] : [],
      [0, 0],
      bytesBE(base, baseSize),
      bytesBE(extents.length, 2),
      ...extents,
    )
  })
  const sizes = [(offsetSize << 4) | 4, baseSize << 4]
  return fullBox('iloc', ilocVersion, 0, sizes, bytesBE(entries.length, idSize), ...entries)
}
