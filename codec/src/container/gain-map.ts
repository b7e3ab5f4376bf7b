import { concat, hasText, textBytes, uint16BE, uint16LE, uint32BE, uint32LE } from '../bytes.ts'
import { isKind, jpegHeader, jpegSegment, MARKER, type Segment } from './jpeg-segments.ts'

// Gain maps: a second JPEG after the first, by which screens show more light than white (Ultra HDR 1.1, ISO 21496-1). The
// index of images (MPF, CIPA DC-007) says where it is.

/** A JPEG with a gain map. */
interface GainMap {
  /** The first image, and the map. */
  base: Uint8Array
  map: Uint8Array
  /** The parameters in the map's XMP; none where only ISO 21496-1 has them. */
  kind: Kind | undefined
  parameters: readonly Parameter[]
  /** The segments of ISO 21496-1 of both. */
  baseSegments: readonly Uint8Array[]
  mapSegments: readonly Uint8Array[]
}

/** A parameter: a value for all channels, or one for each. */
type Parameter = readonly [name: string, values: readonly string[]]

const MPF_KIND = 'MPF\0'
const ISO_KIND = 'urn:iso:std:iso:ts:21496:-1\0'
const XMP_KIND = 'http://ns.adobe.com/xap/1.0/\0'

/** A vocabulary of parameters in the XMP of the map: its prefix, its namespace, and what is the same in all maps. */
interface Kind {
  prefix: string
  namespace: string
  constant: string
}

const ULTRA_HDR: Kind = {
  prefix: 'hdrgm',
  namespace: 'http://ns.adobe.com/hdr-gain-map/1.0/',
  constant: 'hdrgm:Version="1.0"',
}
const APPLE: Kind = {
  prefix: 'HDRGainMap',
  namespace: 'http://ns.apple.com/HDRGainMap/1.0/',
  constant:
    'xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/" apdi:AuxiliaryImageType="urn:com:apple:photo:2020:aux:hdrgainmap"',
}
const MP_ENTRY_TAG = 0xb002
const XMP_MAX_BYTES = 8192
const MP_ENTRY_BYTES = 16
const VALUE = /^(?:-?\d+(?:\.\d+)?(?:e-?\d+)?|True|False)$/i

/** Whether a JPEG has a gain map whose parameters are known. */
export function hasGainMap(bytes: Uint8Array): boolean {
  return findGainMap(bytes) !== undefined
}

/** The gain map of a JPEG; undefined without one, and where its parameters are of a kind that is not known. */
export function findGainMap(bytes: Uint8Array): GainMap | undefined {
  const map = secondImage(bytes)
  if (!map) return undefined
  const [baseSegments, mapSegments] = [isoSegments(bytes), isoSegments(map)]
  const xmp = xmpOf(map)
  const kind = [ULTRA_HDR, APPLE].find(({ namespace }) => xmp.includes(namespace))
  const parameters = kind && readParameters(xmp, kind)
  if (!parameters && mapSegments.length === 0) return undefined
  const base = bytes.subarray(0, map.byteOffset - bytes.byteOffset)
  return { base, map, kind: parameters && kind, parameters: parameters ?? [], baseSegments, mapSegments }
}

/** Joins a first image and a gain map, both without metadata, and adds the map's parameters and its index. */
export function joinGainMap(base: Uint8Array, map: Uint8Array, known: GainMap): Uint8Array {
  const { kind, parameters, baseSegments, mapSegments } = known
  const mapXmp = kind ? [xmpSegment(description(kind, attributes(kind, parameters), elements(kind, parameters)))] : []
  const second = withSegments(map, [...mapXmp, ...mapSegments])
  const baseXmp = kind === ULTRA_HDR ? [xmpSegment(directory(second.length))] : []
  const before = [...baseXmp, ...baseSegments]
  const room = mpfSegment(0, 0, 0).length
  const size = withSegments(base, before).length + room
  // Offsets count from the header of the segment, behind its marker, length and kind.
  const mpfAt = afterJfif(base) + before.reduce((sum, segment) => sum + segment.length, 0)
  const offset = size - (mpfAt + 4 + MPF_KIND.length)
  return concat([withSegments(base, [...before, mpfSegment(size, second.length, offset)]), second])
}

/** Returns the second image in the index of MPF; undefined without one. */
function secondImage(bytes: Uint8Array): Uint8Array | undefined {
  for (const segment of jpegHeader(bytes)) {
    if (segment.marker !== MARKER.APP2 || !isKind(bytes, segment, MPF_KIND)) continue
    const header = segment.body + MPF_KIND.length
    const isBig = hasText(bytes, header, 'MM')
    const [uint16, uint32] = isBig ? [uint16BE, uint32BE] : [uint16LE, uint32LE]
    const directory = header + (uint32(bytes, header + 4) ?? 0)
    for (let i = 0; i < (uint16(bytes, directory) ?? 0); i++) {
      const entry = directory + 2 + 12 * i
      if (uint16(bytes, entry) !== MP_ENTRY_TAG) continue
      const second = header + (uint32(bytes, entry + 8) ?? 0) + MP_ENTRY_BYTES
      const [size = 0, offset = 0] = [uint32(bytes, second + 4), uint32(bytes, second + 8)]
      const start = header + offset
      if (offset > 0 && start + size <= bytes.length && hasText(bytes, start, '\xff\xd8\xff')) {
        return bytes.subarray(start, start + size)
      }
    }
  }
  return undefined
}

function segmentsOf(bytes: Uint8Array, marker: number, kind: string): Segment[] {
  return [...jpegHeader(bytes)].filter((segment) => segment.marker === marker && isKind(bytes, segment, kind))
}

function isoSegments(bytes: Uint8Array): Uint8Array[] {
  return segmentsOf(bytes, MARKER.APP2, ISO_KIND).map(({ start, end }) => bytes.subarray(start, end))
}

/** The XMP of an image; empty where it is larger than that of any map, since searching it takes longer by the square. */
function xmpOf(bytes: Uint8Array): string {
  const [first] = segmentsOf(bytes, MARKER.APP1, XMP_KIND)
  if (!first || first.bodyEnd - first.body > XMP_MAX_BYTES) return ''
  return new TextDecoder().decode(bytes.subarray(first.body, first.bodyEnd))
}

/** The parameters in XMP, as attributes or as lists; undefined where some value is not a number. */
function readParameters(text: string, { prefix }: Kind): Parameter[] | undefined {
  const found: Parameter[] = []
  const attribute = new RegExp(`${prefix}:(\\w+)\\s*=\\s*["']([^"']*)["']`, 'g')
  const element = new RegExp(`<${prefix}:(\\w+)>([\\s\\S]*?)</${prefix}:\\1>`, 'g')
  for (const [, name = '', value = ''] of text.matchAll(attribute)) found.push([name, [value.trim()]])
  for (const [, name = '', content = ''] of text.matchAll(element)) {
    const items = [...content.matchAll(/<rdf:li>([^<]*)<\/rdf:li>/g)].map(([, item = '']) => item.trim())
    found.push([name, items.length > 0 ? items : [content.trim()]])
  }
  const parameters = found.filter(([name]) => name !== 'Version')
  return parameters.every(([, values]) => values.every((value) => VALUE.test(value))) ? parameters : undefined
}

function attributes({ prefix, constant }: Kind, parameters: readonly Parameter[]): string {
  const single = parameters.filter(([, values]) => values.length === 1)
  return constant + single.map(([name, [value]]) => ` ${prefix}:${name}="${value}"`).join('')
}

function elements({ prefix }: Kind, parameters: readonly Parameter[]): string {
  const lists = parameters.filter(([, values]) => values.length > 1)
  const list = (values: readonly string[]) => values.map((value) => `<rdf:li>${value}</rdf:li>`).join('')
  return lists
    .map(([name, values]) => `<${prefix}:${name}><rdf:Seq>${list(values)}</rdf:Seq></${prefix}:${name}>`)
    .join('')
}

/** The XMP of the first image (Ultra HDR 1.1, "XMP metadata of the primary image"). */
function directory(mapBytes: number): string {
  const container = 'http://ns.google.com/photos/1.0/container/'
  const item = (fields: string) =>
    `<rdf:li rdf:parseType="Resource"><Container:Item ${fields} Item:Mime="image/jpeg"/></rdf:li>`
  const items = item('Item:Semantic="Primary"') + item(`Item:Semantic="GainMap" Item:Length="${mapBytes}"`)
  const fields = `xmlns:Container="${container}" xmlns:Item="${container}item/" ${ULTRA_HDR.constant}`
  return description(ULTRA_HDR, fields, `<Container:Directory><rdf:Seq>${items}</rdf:Seq></Container:Directory>`)
}

function description({ prefix, namespace }: Kind, fields: string, content: string): string {
  const described = `<rdf:Description xmlns:${prefix}="${namespace}" ${fields}>${content}</rdf:Description>`
  const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${described}</rdf:RDF>`
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/">${rdf}</x:xmpmeta>`
}

function xmpSegment(text: string): Uint8Array {
  return jpegSegment(MARKER.APP1, textBytes(XMP_KIND + text))
}

/** An index of two images (CIPA DC-007, 5.2.3). */
function mpfSegment(baseBytes: number, mapBytes: number, mapOffset: number): Uint8Array {
  const content = new DataView(new ArrayBuffer(82))
  for (const [i, word] of [0x4d4d002a, 8].entries()) content.setUint32(4 * i, word)
  content.setUint16(8, 3)
  const entries = [
    [0xb000, 7, 4, 0x30313030],
    [0xb001, 4, 1, 2],
    [MP_ENTRY_TAG, 7, 2 * MP_ENTRY_BYTES, 50],
  ]
  for (const [i, [tag = 0, type = 0, count = 0, value = 0]] of entries.entries()) {
    content.setUint16(10 + 12 * i, tag)
    content.setUint16(12 + 12 * i, type)
    content.setUint32(14 + 12 * i, count)
    content.setUint32(18 + 12 * i, value)
  }
  const images = [0x030000, baseBytes, 0, 0, 0, mapBytes, mapOffset, 0]
  for (const [i, word] of images.entries()) content.setUint32(50 + 4 * i, word)
  return jpegSegment(MARKER.APP2, concat([textBytes(MPF_KIND), new Uint8Array(content.buffer)]))
}

function withSegments(jpeg: Uint8Array, segments: readonly Uint8Array[]): Uint8Array {
  const at = afterJfif(jpeg)
  return concat([jpeg.subarray(0, at), ...segments, jpeg.subarray(at)])
}

/** JFIF comes first where it is there (JFIF 1.02, page 2). */
function afterJfif(jpeg: Uint8Array): number {
  return jpeg[3] === MARKER.APP0 ? 4 + (uint16BE(jpeg, 4) ?? 0) : 2
}
