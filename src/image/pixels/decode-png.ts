import { crc32, inflateSync } from 'node:zlib'
import { concat, uint16BE, uint32BE } from '../bytes.ts'
import { type PngChunk, pngChunks } from '../container/png-chunks.ts'
import type { PngFacts } from '../probe/png.ts'
import { ImageRefusal } from '../refusal.ts'
import { blankRaster, type Raster } from './raster.ts'

/** Each pass of Adam7 as its first pixel and its steps (PNG 3rd edition, 8.1). */
const ADAM7 = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
]
const ALL_ROWS = [{ x: 0, y: 0, stepX: 1, stepY: 1 }]

/** Samples a pixel by colour type (table 12); a palette index is one. */
const SAMPLES: Partial<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** Compressed data may go on after the last row; that much more is read past, as other decoders do. */
const TOLERATED_EXCESS_BYTES = 1 << 16

interface Chunks {
  palette: Uint8Array | undefined
  transparency: Uint8Array | undefined
  pixels: Uint8Array
}

/**
 * Decodes a PNG of any colour type and depth, 16 bits reduced to 8; gamma is ignored. Of an APNG, the default image.
 * Throws ImageRefusal('unreadable') for damage in a critical chunk or missing rows.
 */
export function decodePng(bytes: Uint8Array, facts: PngFacts): Raster {
  const chunks = readChunks(bytes)
  const { width, height } = facts.size
  const bitsPerPixel = facts.bitDepth * (SAMPLES[facts.colourType] ?? 1)
  const passes = (facts.interlaced ? ADAM7 : ALL_ROWS)
    .map((pass) => ({
      ...pass,
      columns: Math.ceil((width - pass.x) / pass.stepX),
      rows: Math.ceil((height - pass.y) / pass.stepY),
    }))
    .filter(({ columns, rows }) => columns > 0 && rows > 0)
    .map((pass) => ({ ...pass, rowBytes: Math.ceil((pass.columns * bitsPerPixel) / 8) }))
  const data = inflate(
    chunks.pixels,
    passes.reduce((sum, { rows, rowBytes }) => sum + rows * (1 + rowBytes), 0),
  )

  const raster = blankRaster(facts.size)
  const putPixel = pixelWriter(facts, chunks, raster.rgba)
  const pixelBytes = Math.max(1, bitsPerPixel / 8)
  let at = 0
  for (const { x, y, stepX, stepY, columns, rows, rowBytes } of passes) {
    let above: Uint8Array = new Uint8Array(rowBytes)
    for (let row = 0; row < rows; row++) {
      const line = data.subarray(at + 1, at + 1 + rowBytes)
      unfilter(data[at] ?? 0, line, above, pixelBytes)
      let target = ((y + row * stepY) * width + x) * 4
      for (let column = 0; column < columns; column++, target += stepX * 4) putPixel(line, column, target)
      above = line
      at += 1 + rowBytes
    }
  }
  return raster
}

function readChunks(bytes: Uint8Array): Chunks {
  let palette: Uint8Array | undefined
  let transparency: Uint8Array | undefined
  const parts: Uint8Array[] = []
  let previous = ''
  for (const chunk of pngChunks(bytes)) {
    const { type, body, bodyEnd } = chunk
    const isCritical = type < 'a'
    if (isIntact(bytes, chunk)) {
      const content = bytes.subarray(body, bodyEnd)
      if (type === 'PLTE') palette = content
      else if (type === 'tRNS') transparency = content
      else if (type === 'IDAT') {
        if (parts.length > 0 && previous !== 'IDAT') throw damaged('its IDAT chunks must be in a row')
        parts.push(content)
      }
    } else if (isCritical && type !== 'IEND') throw damaged(`its ${type} chunk is damaged or cut short`)
    previous = type
  }
  const [first] = parts
  return { palette, transparency, pixels: parts.length === 1 && first ? first : concat(parts) }
}

function isIntact(bytes: Uint8Array, { start, bodyEnd, whole }: PngChunk): boolean {
  return whole && uint32BE(bytes, bodyEnd) === crc32(bytes.subarray(start + 4, bodyEnd))
}

function inflate(compressed: Uint8Array, expectedBytes: number): Uint8Array {
  let data: Uint8Array
  try {
    data = inflateSync(compressed, { maxOutputLength: expectedBytes + TOLERATED_EXCESS_BYTES })
  } catch {
    throw damaged('its compressed data cannot be read')
  }
  if (data.length < expectedBytes) throw damaged('it ends before its last row')
  return data
}

/** Undoes a row's filter in place (9.2). `above` is the row before it, all zeros for the first of a pass. */
function unfilter(type: number, line: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  if (type === 0) return
  if (type > 4) throw damaged(`filter types are 0 to 4: received ${type}`)
  for (let i = 0; i < line.length; i++) {
    const a = i >= pixelBytes ? (line[i - pixelBytes] ?? 0) : 0
    const b = above[i] ?? 0
    const c = i >= pixelBytes ? (above[i - pixelBytes] ?? 0) : 0
    const predicted = type === 1 ? a : type === 2 ? b : type === 3 ? (a + b) >> 1 : paeth(a, b, c)
    line[i] = (line[i] ?? 0) + predicted
  }
}

/** The Paeth predictor (9.4): of left, above and upper left the one closest to left + above - upper left. */
export function paeth(a: number, b: number, c: number): number {
  const p = a + b - c
  const [toA, toB, toC] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
  return toA <= toB && toA <= toC ? a : toB <= toC ? b : c
}

type PixelWriter = (line: Uint8Array, column: number, target: number) => void

/** A function that turns a pixel of an unfiltered row into four bytes of the raster. */
function pixelWriter({ colourType, bitDepth }: PngFacts, chunks: Chunks, rgba: Uint8ClampedArray): PixelWriter {
  const { transparency } = chunks
  const maxSample = 2 ** bitDepth - 1

  function rawSample(line: Uint8Array, index: number): number {
    if (bitDepth === 8) return line[index] ?? 0
    if (bitDepth === 16) return uint16BE(line, index * 2) ?? 0
    const bit = index * bitDepth
    return ((line[bit >> 3] ?? 0) >> (8 - bitDepth - (bit & 7))) & maxSample
  }
  /** Of any depth, on a scale of 255 (13.12); a raster's bytes round by themselves. */
  const scaled = bitDepth === 8 ? (sample: number) => sample : (sample: number) => (sample * 255) / maxSample

  if (colourType === 3) {
    const { palette } = chunks
    if (!palette) throw damaged('its palette is missing')
    return (line, column, target) => {
      const index = rawSample(line, column)
      // An index past the palette's end is black.
      rgba[target] = palette[index * 3] ?? 0
      rgba[target + 1] = palette[index * 3 + 1] ?? 0
      rgba[target + 2] = palette[index * 3 + 2] ?? 0
      rgba[target + 3] = transparency?.[index] ?? 255
    }
  }
  const isGray = colourType === 0 || colourType === 4
  const hasAlpha = colourType === 4 || colourType === 6
  const samples = SAMPLES[colourType] ?? 1
  // The one see-through colour, in samples of the file's own depth; NaN equals none.
  const [clearRed, clearGreen, clearBlue] = [0, 2, 4].map((at) =>
    transparency && !hasAlpha ? (uint16BE(transparency, isGray ? 0 : at) ?? Number.NaN) : Number.NaN,
  )
  return (line, column, target) => {
    const at = column * samples
    const red = rawSample(line, at)
    const green = isGray ? red : rawSample(line, at + 1)
    const blue = isGray ? red : rawSample(line, at + 2)
    const isClear = red === clearRed && green === clearGreen && blue === clearBlue
    rgba[target] = scaled(red)
    rgba[target + 1] = scaled(green)
    rgba[target + 2] = scaled(blue)
    rgba[target + 3] = hasAlpha ? scaled(rawSample(line, at + samples - 1)) : isClear ? 0 : 255
  }
}

function damaged(detail: string): ImageRefusal {
  return new ImageRefusal('unreadable', `the PNG cannot be decoded: ${detail}`)
}
