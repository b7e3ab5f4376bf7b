import { describe, expect, test } from 'vitest'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { cwebp, dwebp } from '../../webp-lossless/decoder/libwebp.ts'
import { alph, newAlphEncoder, onGrey } from './encoder.ts'
import { MASKS, mask, painted } from './masks.ts'
import { assertNoLonger } from './size.ts'

const encoder = newAlphEncoder()

for (const [width, height] of [
  [960, 720],
  [3840, 2160],
] as const) {
  describe(`at ${width} x ${height} dwebp reads the very alphas, from not much more bytes than cwebp -m 4 takes`, () => {
    for (const kind of MASKS) {
      test(kind, async () => {
        const drawn = await mask(kind, width, height)
        const ours = alph(encoder, drawn)
        const read = dwebp(onGrey(ours, drawn)) ?? expect.fail('dwebp refused it')
        expect(drawn.alphas.every((alpha, i) => alpha === read.rgba[4 * i + 3])).toBe(true)
        const theirs =
          webpChunk(cwebp({ width, height, rgba: painted(drawn) }, '-q 75 -m 4 -alpha_q 100'), 'ALPH') ??
          expect.fail('no ALPH chunk')
        console.info(`${kind}: ${ours.length} bytes, ${(ours.length / theirs.length).toFixed(2)} of cwebp's`)
        assertNoLonger(ours, theirs)
      })
    }
  })
}
