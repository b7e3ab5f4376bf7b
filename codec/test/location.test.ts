import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { listCorpus } from '../../test/support/corpus.ts'
import { pngChunk } from '../src/container/png-chunks.ts'
import type { Format } from '../src/format.ts'
import { findLocation } from '../src/location.ts'
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
    ['a place in EXIF', () => image(format).withExif(GPS), 'present'],
    // sharp compresses the XMP of a PNG.
    ['a place in XMP', () => image(format).withXmp(XMP), 'present'],
    ['a camera without a place', () => image(format).withExif(CAMERA), 'absent'],
    ['nothing', () => image(format), 'absent'],
  ] as const)('%s is told as it is, and is gone without metadata', async ([, make, expected]) => {
    const bytes = new Uint8Array(await make().toBuffer())
    expect(await findLocation(bytes, format)).toBe(expected)
    const facts = probe(bytes) ?? expect.fail('no picture')
    expect(await findLocation(stripMetadata(bytes, facts), format)).toBe('absent')
  })
})

const photographs = listCorpus().filter(({ path }) => /\/gps\/DSCN/.test(path))
test.skipIf(photographs.length === 0)('photographs of a camera with GPS have a place (needs the corpus)', async () => {
  for (const { path, read } of photographs) expect(await findLocation(read(), 'jpeg'), path).toBe('present')
})

describe('of a compressed text', () => {
  test.each([
    ['that is broken', Buffer.from('no zlib'), 'unknown'],
    ['that ends early', deflateSync('GPSLatitude'.repeat(99)).subarray(0, -8), 'present'],
    ['that ends early, before a location', deflateSync('a text '.repeat(99)).subarray(0, -8), 'unknown'],
    ['that grows a thousandfold', deflateSync(Buffer.alloc(2 ** 26)), 'unknown'],
    ['that is whole', deflateSync('a text '.repeat(99)), 'absent'],
  ] as const)('%s, what could not be read is unknown', async (_what, stream, expected) => {
    expect(await findLocation(await pngWithText(stream), 'png')).toBe(expected)
  })

  test.each([
    ['iterate streams, as WebKit', ReadableStream.prototype, Symbol.asyncIterator, 'present'],
    ['decompress', globalThis, 'DecompressionStream', 'unknown'],
  ] as const)('in a runtime that cannot %s, a location is never absent', async (_what, owner, name, expected) => {
    const original = Object.getOwnPropertyDescriptor(owner, name) ?? expect.fail(`no ${String(name)}`)
    const png = await pngWithText(deflateSync('GPSLatitude'))
    Reflect.deleteProperty(owner, name)
    try {
      expect(await findLocation(png, 'png')).toBe(expected)
    } finally {
      Object.defineProperty(owner, name, original)
    }
  })
})

test('an uncompressed text that is too long to search is unknown', async () => {
  const png = await pngWithText(Buffer.alloc(2 ** 20 + 1, 'a'), 0)
  expect(await findLocation(png, 'png')).toBe('unknown')
})

/** Returns a PNG with a chunk of this text, a zlib stream by default. */
async function pngWithText(text: Buffer, compressionFlag = 1): Promise<Uint8Array> {
  const keyword = Buffer.from('XML:com.adobe.xmp\0', 'latin1')
  const chunk = pngChunk('iTXt', Buffer.concat([keyword, Buffer.from([compressionFlag, 0, 0, 0]), text]))
  const png = await image('png').toBuffer()
  return new Uint8Array(Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]))
}
