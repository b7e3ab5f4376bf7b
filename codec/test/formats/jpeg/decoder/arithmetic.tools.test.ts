import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { cjpeg } from './cjpeg.ts'
import { accepted, decode, newCodec } from './decoder.ts'
import { photo } from './images.ts'

const codec = newCodec()
const image = photo(333, 251, 3)
const SIZES: [number, number][] = [
  [333, 251],
  [160, 120],
  [41, 30],
]

// jpegtran codes the same coefficients in another way, so not a pixel may differ.
for (const sampling of ['1x1,1x1,1x1', '2x2,1x1,1x1', '2x1,1x1,1x1', '4x1,1x1,1x1', '1x2,1x4,1x1']) {
  for (const quality of ['30', '98']) {
    test(`arithmetic coding of factors ${sampling} and quality ${quality} equals Huffman coding`, () => {
      const huffman = cjpeg(image, '-sample', sampling, '-quality', quality)
      for (const options of [[], ['-progressive'], ['-restart', '3B'], ['-progressive', '-restart', '1']]) {
        const arithmetic = jpegtran(huffman, '-arithmetic', ...options)
        const same = jpegtran(huffman, ...options)
        for (const size of SIZES) {
          const { bytes } = accepted(decode(codec, arithmetic, { size }))
          expect(bytes, options.join(' ')).toStrictEqual(accepted(decode(codec, same, { size })).bytes)
        }
      }
    })
  }
}

function jpegtran(input: Uint8Array, ...options: string[]): Uint8Array {
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore']
  return new Uint8Array(execFileSync('jpegtran', ['-copy', 'all', ...options], { input, maxBuffer: 1 << 28, stdio }))
}
