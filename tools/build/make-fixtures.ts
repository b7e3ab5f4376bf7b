#!/usr/bin/env node
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { deflateSync, gzipSync } from 'node:zlib'
/**
 * Creates the images of test/fixtures. They are committed: run this only to add or change one. All their metadata
 * contains the word SECRET, so that a test can search for what should be removed.
 */
import type { Sharp } from 'sharp'
import sharp from 'sharp'
import { findAv1Size } from 'tintype-codec/container/av1-sequence'
import { itemBytes, readItems } from 'tintype-codec/container/avif-items'
import { ALPHA, av1C, avif as avifOf, box, fullBox, ispe } from 'tintype-codec/test/probe/made'
import { pngChunk } from '../../test/support/png.ts'

const SECRET = 'SECRET'
const WIDTH = 24
const HEIGHT = 16

/** An image without symmetry: red grows to the right, green downwards, with a white mark in the top left corner. */
function patternOf(channels: 3 | 4) {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * channels)
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const isCorner = x < 6 && y < 4
      const colour = isCorner ? [255, 255, 255] : [(x * 255) / (WIDTH - 1), (y * 255) / (HEIGHT - 1), 60]
      pixels.set([...colour, 255 - x * 8].slice(0, channels), (y * WIDTH + x) * channels)
    }
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels } })
}

const opaque = () => patternOf(3)
const seeThrough = () => patternOf(4)
const plain = (red: number) => {
  const background = { r: red, g: 90, b: 200 }
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background } })
    .png()
    .toBuffer()
}
const twoFrames = async () => sharp(await Promise.all([40, 80].map(plain)), { join: { animated: true } })

/** Everything a camera and an editor leave in a file. */
const withEverything = (image: Sharp, orientation: number) =>
  image
    .withIccProfile('p3')
    .withExif({
      IFD0: { Make: SECRET, Orientation: String(orientation) },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret>${SECRET}</secret></x:xmpmeta>`)
    .withMetadata({ orientation })

const uint = (value: number, size: number) => Buffer.from(value.toString(16).padStart(2 * size, '0'), 'hex')
const ascii = (text: string) => Buffer.from(text, 'latin1')

// JPEG
const jpegSegment = (marker: number, body: Buffer) =>
  Buffer.concat([uint(0xff00 + marker, 2), uint(body.length + 2, 2), body])

function addToJpeg(jpeg: Buffer) {
  const added = [
    jpegSegment(0xe0, ascii(`JFXX\0\x13${SECRET}`)),
    jpegSegment(0xe2, ascii(`MPF\0${SECRET}`)),
    jpegSegment(0xed, ascii(`Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0b\x1c\x02\x78\0\x06${SECRET}\0`)),
    jpegSegment(0xef, ascii(SECRET)),
    jpegSegment(0xfe, ascii(SECRET)),
  ]
  return Buffer.concat([jpeg.subarray(0, 2), ...added, jpeg.subarray(2), ascii(SECRET)])
}

// PNG
const IHDR_END = 33

function addToPng(png: Buffer) {
  const added = [
    pngChunk('tEXt', ascii(`Comment\0${SECRET}`)),
    pngChunk('zTXt', Buffer.concat([ascii('Comment\0\0'), deflateSync(ascii(SECRET))])),
    pngChunk('tIME', Buffer.from([7, 0xea, 1, 2, 3, 4, 5])),
    pngChunk('seCr', ascii(SECRET)),
  ]
  return Buffer.concat([png.subarray(0, IHDR_END), ...added, png.subarray(IHDR_END), ascii(SECRET)])
}

/** A still PNG as an animation of this many equal frames. */
function animatePng(png: Buffer, frames: number) {
  const idat = png.subarray(png.indexOf('IDAT') - 4, png.indexOf('IEND') - 4)
  const control = (sequence: number) =>
    pngChunk(
      'fcTL',
      Buffer.concat([uint(sequence, 4), uint(WIDTH, 4), uint(HEIGHT, 4), uint(0, 8), uint(0x0001000a, 4), uint(0, 2)]),
    )
  const parts = [png.subarray(0, IHDR_END), pngChunk('acTL', uint(frames * 2 ** 32, 8)), control(0), idat]
  for (let i = 1; i < frames; i++) {
    const data = Buffer.concat([uint(2 * i, 4), idat.subarray(8, -4)])
    parts.push(control(2 * i - 1), pngChunk('fdAT', data))
  }
  return Buffer.concat([...parts, pngChunk('IEND', ascii(''))])
}

// WebP
function addToWebp(webp: Buffer) {
  const added = Buffer.concat([ascii('SECR'), uint(6, 1), uint(0, 3), ascii(SECRET)])
  const grown = Buffer.concat([webp, added])
  grown.writeUInt32LE(grown.length - 8, 4)
  return Buffer.concat([grown, ascii(SECRET)])
}

// AVIF
/** The third byte of av1C: depth and subsampling. */
const CODINGS = {
  '8-420': 0x0c,
  '8-444': 0,
  '10-420': 0x4c,
  '10-422': 0x48,
  '10-444': 0x40,
  '12-422': 0x68,
  '12-444': 0x60,
  '10-mono': 0x5c,
  mono: 0x1c,
}

/** The AV1 data of the primary item of a file, or of its alpha. */
function av1Of(file: Buffer, which: 'colour' | 'alpha' = 'colour') {
  const items = readItems(file)
  if (!items) throw new Error('no items')
  const item = [...items.items.values()].find(({ id }) => (id === items.primary.id) === (which === 'colour'))
  if (!item) throw new Error(`no ${which}`)
  return itemBytes(file, item)
}

const av1Fixture = (name: string) => readFileSync(new URL(`../../test/fixtures/av1/${name}.obu`, import.meta.url))

/** A colr box of these code points of ITU-T H.273. */
const nclx = (...points: number[]) =>
  box(
    'colr',
    'nclx',
    points.flatMap((point) => [0, point]),
    [0x80],
  )

/** An item of AV1 data. */
function av1Item(id: number, data: Uint8Array, coding: keyof typeof CODINGS, ...properties: Uint8Array[]) {
  const size = findAv1Size(data)
  return { id, type: 'av01', data, properties: [ispe(size?.width, size?.height), av1C(CODINGS[coding]), ...properties] }
}

/** Four tiles of 64 x 64, cropped to an image of 120 x 100. */
async function gridAvif() {
  const whole = await opaque().resize(128, 128, { fit: 'fill' }).png().toBuffer()
  const tiles = await Promise.all(
    [0, 1, 2, 3].map((i) =>
      sharp(whole)
        .extract({ left: 64 * (i % 2), top: 64 * (i >> 1), width: 64, height: 64 })
        .avif({ chromaSubsampling: '4:2:0', bitdepth: 10 })
        .toBuffer(),
    ),
  )
  const ids = [2, 3, 4, 5]
  const data = Buffer.concat([Buffer.from([0, 0, 1, 1]), uint(120, 2), uint(100, 2)])
  return avifOf([
    { id: 1, type: 'grid', data, properties: [ispe(120, 100)], references: [['dimg', ...ids]] },
    ...tiles.map((tile, i) => av1Item(ids[i] ?? 0, av1Of(tile), '10-420')),
  ])
}

/** Colours that were multiplied by their alpha before they were coded. */
async function premultipliedAvif() {
  const { data, info } = await seeThrough().raw().toBuffer({ resolveWithObject: true })
  const colours = Buffer.from(
    data.filter((_, i) => i % 4 < 3).map((value, i) => (value * (data[4 * Math.floor(i / 3) + 3] ?? 0)) / 255),
  )
  const { width, height } = info
  const options = { quality: 90, chromaSubsampling: '4:4:4' }
  const colour = await sharp(colours, { raw: { width, height, channels: 3 } })
    .avif(options)
    .toBuffer()
  const alpha = await seeThrough().avif(options).toBuffer()
  return avifOf([
    { ...av1Item(1, av1Of(colour), '8-444', nclx(1, 13, 6)), references: [['prem', 2]] },
    { ...av1Item(2, av1Of(alpha, 'alpha'), 'mono', ALPHA), references: [['auxl', 1]] },
  ])
}

/** An alpha that is coded at half the size that its item has: browsers stretch it. */
async function stretchedAlphaAvif() {
  const alpha = await seeThrough()
    .resize(WIDTH >> 1, HEIGHT >> 1)
    .avif({ quality: 90 })
    .toBuffer()
  const properties = [ispe(WIDTH, HEIGHT), av1C(CODINGS.mono), ALPHA]
  return avifOf([
    av1Item(1, av1Of(avif), '8-444', nclx(1, 13, 6)),
    { id: 2, type: 'av01', data: av1Of(alpha, 'alpha'), properties, references: [['auxl', 1]] },
  ])
}

const png = await opaque().png().toBuffer()
const gif = await opaque().gif().toBuffer()
const jpeg = await opaque().jpeg().toBuffer()
const webp = await opaque().webp().toBuffer()
const avif = await opaque().avif().toBuffer()
const avif10 = await opaque().avif({ chromaSubsampling: '4:2:0', bitdepth: 10, quality: 80 }).toBuffer()
const avif64 = await opaque().resize(64, 64, { fit: 'fill' }).avif({ chromaSubsampling: '4:2:0' }).toBuffer()
const DEPTH = fullBox('auxC', 0, 0, 'urn:mpeg:mpegB:cicp:systems:auxiliary:depth\0')

const valid = {
  'jpeg/baseline-420.jpg': jpeg,
  'jpeg/progressive-444.jpg': await opaque().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  'jpeg/gray.jpg': await opaque().toColourspace('b-w').jpeg().toBuffer(),
  'jpeg/cmyk.jpg': await opaque().toColourspace('cmyk').jpeg().toBuffer(),
  'jpeg/turned-6-with-everything.jpg': addToJpeg(await withEverything(opaque(), 6).jpeg().toBuffer()),
  'jpeg/upright-with-everything.jpg': addToJpeg(await withEverything(opaque(), 1).jpeg().toBuffer()),
  'png/rgb.png': png,
  'png/gray-16.png': await opaque().toColourspace('grey16').png().toBuffer(),
  'png/palette-transparent.png': await seeThrough().png({ palette: true }).toBuffer(),
  'png/interlaced-alpha.png': await seeThrough().png({ progressive: true }).toBuffer(),
  'png/turned-8-with-everything.png': addToPng(await withEverything(opaque(), 8).png().toBuffer()),
  'png/one-frame.png': animatePng(png, 1),
  'png/two-frames.png': animatePng(png, 2),
  'gif/still.gif': gif,
  'gif/transparent.gif': await seeThrough().gif().toBuffer(),
  'gif/two-frames.gif': await (await twoFrames()).gif().toBuffer(),
  'webp/lossy.webp': webp,
  'webp/lossless.webp': await opaque().webp({ lossless: true }).toBuffer(),
  'webp/lossy-alpha.webp': await seeThrough().webp().toBuffer(),
  'webp/lossless-alpha.webp': await seeThrough().webp({ lossless: true }).toBuffer(),
  'webp/turned-3-with-everything.webp': addToWebp(await withEverything(opaque(), 3).webp().toBuffer()),
  'webp/two-frames.webp': await (await twoFrames()).webp().toBuffer(),
  'avif/8-bit-444.avif': avif,
  'avif/8-bit-420-alpha.avif': await seeThrough().avif({ chromaSubsampling: '4:2:0' }).toBuffer(),
  'avif/with-everything.avif': await withEverything(opaque(), 1).avif().toBuffer(),
  'avif/10-bit-420.avif': avif10,
  'avif/12-bit-444.avif': await opaque().avif({ bitdepth: 12 }).toBuffer(),
  'avif/10-bit-422.avif': avifOf([av1Item(1, av1Fixture('photo-4-422-10'), '10-422', nclx(1, 13, 1))]),
  'avif/12-bit-422.avif': avifOf([av1Item(1, av1Fixture('palette-5-422-12'), '12-422', nclx(1, 13, 6))]),
  'avif/10-bit-gray.avif': avifOf([av1Item(1, av1Fixture('matrices-10-mono-10'), '10-mono', nclx(1, 13, 6))]),
  'avif/10-bit-grid.avif': await gridAvif(),
  'avif/premultiplied.avif': await premultipliedAvif(),
  'avif/stretched-alpha.avif': await stretchedAlphaAvif(),
  'avif/pq.avif': avifOf([av1Item(1, av1Of(avif10), '10-420', nclx(9, 16, 9))]),
  'avif/hlg.avif': avifOf([av1Item(1, av1Of(avif10), '10-420', nclx(9, 18, 9))]),
  'avif/p3.avif': avifOf([av1Item(1, av1Of(avif10), '10-420', nclx(12, 13, 6))]),
  'avif/identity.avif': avifOf([
    { id: 1, type: 'iden', properties: [ispe(64, 64)], references: [['dimg', 2]] },
    av1Item(2, av1Of(avif64), '8-420'),
  ]),
  'avif/overlay.avif': avifOf([
    {
      id: 1,
      type: 'iovl',
      data: Buffer.concat([
        Buffer.from([0, 0, 255, 255, 0, 0, 128, 128, 255, 255]),
        ...[100, 80, 10, 10, 50, 40].map((field) => uint(field, 2)),
      ]),
      properties: [ispe(100, 80)],
      references: [['dimg', 2, 3]],
    },
    av1Item(2, av1Of(avif64), '8-420'),
    av1Item(3, av1Of(avif64), '8-420'),
  ]),
  'avif/depth.avif': avifOf([
    av1Item(1, av1Of(avif), '8-444', nclx(1, 13, 6)),
    {
      ...av1Item(2, av1Fixture('photo-9-mono-8'), 'mono', DEPTH),
      references: [['auxl', 1]],
    },
  ]),
}

/** Returns a copy of the bytes with some overwritten. */
function patched(bytes: Buffer, at: number, replacement: number[] | Buffer) {
  const copy = Buffer.from(bytes)
  copy.set(replacement, at)
  return copy
}

const invalid = {
  'jpeg/no-scan.jpg': jpeg.subarray(0, jpeg.indexOf(Buffer.from([0xff, 0xda]))),
  'jpeg/12-bit.jpg': patched(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 4, [12]),
  'jpeg/lossless.jpg': patched(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 1, [0xc3]),
  'jpeg/hierarchical.jpg': patched(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 1, [0xc5]),
  'png/wrong-header-checksum.png': patched(png, 16, [1]),
  'png/no-pixels.png': png.subarray(0, png.indexOf('IDAT') - 4),
  'gif/no-frame.gif': gif.subarray(0, 13),
  'gif/no-width.gif': patched(gif, 6, [0, 0]),
  'webp/no-key-frame.webp': patched(webp, 20, [1]),
  'webp/unknown-first-chunk.webp': patched(webp, 12, ascii('VP9 ')),
  'avif/no-meta.avif': patched(avif, avif.indexOf('meta'), ascii('free')),
  'avif/no-width.avif': patched(avif, avif.indexOf('ispe') + 8, [0, 0, 0, 0]),
}

/** 100 megapixels of one colour, which take seconds to encode and a kilobyte as gzip. */
const hundredMegapixels = () => {
  const create = { width: 10_000, height: 10_000, channels: 3, background: '#369' } as const
  return sharp({ create, limitInputPixels: false })
}

const large = {
  '100-megapixels.jpg.gz': gzipSync(await hundredMegapixels().jpeg().toBuffer()),
  '100-megapixels-progressive.jpg.gz': gzipSync(await hundredMegapixels().jpeg({ progressive: true }).toBuffer()),
  '100-megapixels.png.gz': gzipSync(await hundredMegapixels().png().toBuffer()),
  '100-megapixels.webp.gz': gzipSync(await hundredMegapixels().webp({ effort: 0 }).toBuffer()),
  '100-megapixels.avif.gz': gzipSync(await hundredMegapixels().avif({ effort: 0, quality: 40 }).toBuffer()),
}

for (const [kind, files] of Object.entries({ valid, invalid, large })) {
  for (const [path, bytes] of Object.entries(files)) {
    const url = new URL(`../../test/fixtures/${kind}/${path}`, import.meta.url)
    mkdirSync(new URL('.', url), { recursive: true })
    writeFileSync(url, bytes)
  }
}
