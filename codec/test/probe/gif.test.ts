import { expect, test } from 'vitest'
import { probe } from '../../src/probe.ts'
import { gif, gifFrame, graphicControl, join } from './made.ts'

const FRAME = gifFrame(0, 0, 24, 16)
const COMMENT = join([0x21, 0xfe, 3], 'a,b', [2], 'cd', [0])

test('a GIF tells its canvas and its frames', () => {
  expect(probe(gif(24, 16, FRAME))).toEqual({
    format: 'gif',
    size: { width: 24, height: 16 },
    frames: 1,
    orientation: 1,
    animated: false,
    alpha: false,
  })
})

test.each([
  ['with two frames', gif(24, 16, FRAME, graphicControl(true), FRAME), { frames: 2, animated: true, alpha: false }],
  ['with a transparent colour', gif(24, 16, graphicControl(true), FRAME), { alpha: true }],
  ['without one', gif(24, 16, graphicControl(false), FRAME), { alpha: false }],
  ['whose frame leaves a column free', gif(25, 16, FRAME), { alpha: true }],
  ['whose frame leaves a row free', gif(24, 17, FRAME), { alpha: true }],
  ['whose frame stands to the right', gif(24, 16, gifFrame(1, 0, 24, 16)), { alpha: true }],
  ['whose frame is larger', gif(23, 15, FRAME), { size: { width: 24, height: 16 }, alpha: false }],
  ['with a comment', gif(24, 16, COMMENT, FRAME), { frames: 1 }],
  ['of version 87a', join('GIF87a', gif(24, 16, FRAME).subarray(6)), { frames: 1 }],
  ['without a trailer', gif(24, 16, FRAME).subarray(0, -1), { frames: 1 }],
  ['with stray bytes at its end', gif(24, 16, FRAME, [0, 1, 2], FRAME), { frames: 1 }],
  ['with a second frame cut within its header', gif(24, 16, FRAME, FRAME.subarray(0, 9)), { frames: 1 }],
  [
    'with colour tables',
    join('GIF89a', [24, 0, 16, 0, 0x81, 0, 0], new Uint8Array(12), localTable(), FRAME),
    { frames: 2 },
  ],
])('a GIF %s is read', (_, bytes, facts) => {
  expect(probe(bytes)).toMatchObject(facts)
})

/** A frame with a table of two colours. */
function localTable(): Uint8Array {
  return join(FRAME.subarray(0, 9), [0x80], new Uint8Array(6), FRAME.subarray(10))
}

test.each([
  ['no width', gif(0, 16, FRAME), 'unreadable'],
  ['no height', gif(24, 0, FRAME), 'unreadable'],
  ['a canvas over 100 megapixels', gif(36128, 37988, FRAME), 'over_budget'],
  ['a first frame over 100 megapixels', gif(24, 16, gifFrame(0, 0, 65535, 65535)), 'over_budget'],
  ['a first frame of no height', gif(24, 16, gifFrame(0, 0, 24, 0)), 'unreadable'],
  ['no frame', gif(24, 16, COMMENT), 'unreadable'],
  ['nothing but a signature', join('GIF89a'), 'unreadable'],
])('a GIF with %s is refused', (_, bytes, reason) => {
  expect(() => probe(bytes)).toThrow(expect.objectContaining({ reason }))
})

test('GIF88a is no known signature', () => {
  expect(probe(join('GIF88a', gif(24, 16, FRAME).subarray(6)))).toBeUndefined()
})
