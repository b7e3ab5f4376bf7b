import { describe, expect, test } from 'vitest'
import { webpChunk } from '../../../../../test/support/webp.ts'
import { fromPixels } from '../../webp-lossless/decoder/sharp.ts'
import { alph, newAlphEncoder } from './encoder.ts'
import { MASKS, mask, painted } from './masks.ts'
import { assertNoLonger } from './size.ts'

const encoder = newAlphEncoder()

for (const [width, height] of [
  [200, 150],
  [960, 720],
] as const) {
  describe(`at ${width} x ${height} a chunk takes not much more bytes than one of sharp`, () => {
    for (const kind of MASKS) {
      test(kind, async () => {
        const drawn = await mask(kind, width, height)
        const image = { width, height, rgba: painted(drawn) }
        const theirs =
          webpChunk(await fromPixels(image).webp({ effort: 4 }).toBuffer(), 'ALPH') ?? expect.fail('no ALPH chunk')
        assertNoLonger(alph(encoder, drawn), theirs)
      })
    }
  })
}
