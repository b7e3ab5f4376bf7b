import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { listCorpus } from '../../test/support/corpus.ts'
import { pngChunk } from '../src/container/png-chunks.ts'
import type { Format } from '../src/format.ts'
import { hasLocation } from '../src/location.ts'
import { probe } from '../src/probe.ts'
import { stripMetadata } from '../src/strip.ts'

const CAMERA = { IFD0: { Model: 'SECRET' } }
const GPS = { ...CAMERA, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' } }
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="52,30N"/></rdf:RDF></x:xmpmeta>`
const FORMATS = ['jpeg', 'png', 'webp', 'avif'] as const satisfies readonly Format[]

function image(format: Format) {
  return sharp({ create: { width: 16, height: 16, channels: 3, background: 'red' } }).toFormat(format)
}

describe.for(FORMATS)('in %s', (format) => {
  test.for([
    ['a place in EXIF', () => image(format).withExif(GPS), true],
    // sharp compresses the XMP of a PNG.
    ['a place in XMP', () => image(format).withXmp(XMP), true],
    ['a camera without a place', () => image(format).withExif(CAMERA), false],
    ['nothing', () => image(format), false],
  ] as const)('%s is told as it is, and is gone without metadata', async ([, make, expected]) => {
    const bytes = new Uint8Array(await make().toBuffer())
    expect(await hasLocation(bytes, format)).toBe(expected)
    const facts = probe(bytes) ?? expect.fail('no picture')
    expect(await hasLocation(stripMetadata(bytes, facts), format)).toBe(false)
  })
})

const photographs = listCorpus().filter(({ path }) => /\/gps\/DSCN/.test(path))
test.skipIf(photographs.length === 0)('photographs of a camera with GPS have a place (needs the corpus)', async () => {
  for (const { path, read } of photographs) expect(await hasLocation(read(), 'jpeg'), path).toBe(true)
})

test.each([
  ['is broken', Buffer.from('no zlib')],
  ['ends early', deflateSync('GPSLatitude'.repeat(99)).subarray(0, -8)],
  ['grows a thousandfold', deflateSync(Buffer.alloc(2 ** 26))],
])('a compressed text that %s is no error', async (what, stream) => {
  const chunk = pngChunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\u0001\0\0\0', 'latin1'), stream]))
  const png = await image('png').toBuffer()
  const bytes = new Uint8Array(Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]))
  expect(await hasLocation(bytes, 'png')).toBe(what === 'ends early')
})
