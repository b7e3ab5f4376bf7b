import { below } from '../../../../../test/support/random.ts'
import type { PngParts } from './decoder.ts'

export interface Wanted {
  readonly width: number
  readonly height: number
  readonly colourType: 0 | 2 | 3 | 4 | 6
  readonly depth: 1 | 2 | 4 | 8 | 16
  readonly interlaced: boolean
  /** With a tRNS chunk. */
  readonly transparent: boolean
}

/** An image of random pixels, filtered row by row by random filters, and what it must look like. */
export interface Made extends PngParts {
  readonly rgba: Buffer
}

const CHANNELS = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 } as const

/** First column, first row, column step and row step of the passes of Adam7 (PNG 3rd edition, 8.2). */
export const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

/** Makes an image. `partBytes` is how its inflated bytes are cut. */
export function makeImage(wanted: Wanted, partBytes: number, random: () => number): Made {
  const { width, height, colourType, depth, interlaced, transparent } = wanted
  const channels = CHANNELS[colourType]
  const maximum = 2 ** depth - 1
  const samples = Array.from({ length: width * height * channels }, () => below(maximum + 1, random))
  const palette = Buffer.from(Array.from({ length: 3 * 2 ** Math.min(depth, 8) }, () => below(256, random)))
  const alphas = Buffer.from(Array.from({ length: palette.length / 6 }, () => below(256, random)))
  const key = samples.slice(0, channels)

  const ihdr = Buffer.alloc(13)
  ihdr.writeUInt32BE(width, 0)
  ihdr.writeUInt32BE(height, 4)
  ihdr.set([depth, colourType, 0, 0, interlaced ? 1 : 0], 8)
  const keyBytes = Buffer.from(key.flatMap((sample) => [sample >> 8, sample & 255]))

  const lines: Buffer[] = []
  for (const [x0, y0, xStep, yStep] of interlaced ? PASSES : [[0, 0, 1, 1] as const]) {
    let above: Buffer | undefined
    for (let y = y0; y < height && x0 < width; y += yStep) {
      const row: number[] = []
      for (let x = x0; x < width; x += xStep) {
        row.push(...samples.slice((y * width + x) * channels, (y * width + x + 1) * channels))
      }
      const bytes = packed(row, depth)
      lines.push(
        filtered(bytes, above ?? Buffer.alloc(bytes.length), Math.max(1, (channels * depth) >> 3), below(5, random)),
      )
      above = bytes
    }
  }
  return {
    ihdr,
    plte: colourType === 3 ? palette : undefined,
    trns: transparent ? (colourType === 3 ? alphas : keyBytes) : undefined,
    idats: cut(Buffer.concat(lines), partBytes),
    rgba: appearance(),
  }

  function appearance(): Buffer {
    const rgba = Buffer.alloc(width * height * 4)
    for (let pixel = 0; pixel < width * height; pixel++) {
      const own = samples.slice(pixel * channels, (pixel + 1) * channels)
      const [a = 0, b = 0, c = 0, d = 0] = own.map((sample) => Math.round((sample * 255) / maximum))
      const isKey = transparent && own.every((sample, i) => sample === key[i])
      const index = own[0] ?? 0
      const alpha = {
        0: isKey ? 0 : 255,
        2: isKey ? 0 : 255,
        3: transparent ? (alphas[index] ?? 255) : 255,
        4: b,
        6: d,
      }
      const colour = {
        0: [a, a, a],
        2: [a, b, c],
        3: [...palette.subarray(index * 3, index * 3 + 3)],
        4: [a, a, a],
        6: [a, b, c],
      }
      rgba.set([...colour[colourType], alpha[colourType]], pixel * 4)
    }
    return rgba
  }
}

/** Samples of less than 8 bits share bytes, the first in the highest bits. */
function packed(samples: readonly number[], depth: number): Buffer {
  if (depth === 16) return Buffer.from(samples.flatMap((sample) => [sample >> 8, sample & 255]))
  const bytes = Buffer.alloc(Math.ceil((samples.length * depth) / 8))
  samples.forEach((sample, i) => {
    const bit = i * depth
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (sample << (8 - depth - (bit & 7)))
  })
  return bytes
}

/** PNG 9.2: the filter type and the row's bytes less their predictions. */
function filtered(row: Buffer, above: Buffer, step: number, type: number): Buffer {
  return Buffer.from([
    type,
    ...row.map((byte, i) => {
      const left = i < step ? 0 : (row[i - step] ?? 0)
      const up = above[i] ?? 0
      const corner = i < step ? 0 : (above[i - step] ?? 0)
      return byte - ([0, left, up, (left + up) >> 1, paeth(left, up, corner)][type] ?? 0)
    }),
  ])
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const distances = [left, up, corner].map((value) => Math.abs(estimate - value))
  return [left, up, corner][distances.indexOf(Math.min(...distances))] ?? 0
}

function cut(bytes: Buffer, partBytes: number): Buffer[] {
  const count = Math.ceil(bytes.length / partBytes)
  return Array.from({ length: count }, (_, i) => bytes.subarray(i * partBytes, (i + 1) * partBytes))
}
