import { deflateSync, inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { concat } from '../../../src/bytes.ts'
import { cutZlib } from '../../../src/container/zlib/cut.ts'
import { smallBlocks } from './small-blocks.ts'
import { CODINGS, DATA, noise, TAIL } from './streams.ts'

const LONGEST_COPY = 258

/** Whether `cut` inflates to the first bytes of `data`, and to what a copy repeats after them. */
function expectCut(cut: Uint8Array, data: Uint8Array, bytes: number, context: string): void {
  const inflated = inflateSync(cut)
  expect(inflated.length, context).toBeLessThan(bytes + LONGEST_COPY)
  expect(inflated, context).toEqual(Buffer.from(data.subarray(0, inflated.length)))
  expect(inflated.length, context).toBeGreaterThanOrEqual(bytes)
}

test.each(DATA.filter(([, data]) => data.length > 0))(
  'a stream of %s is cut anywhere, and is whole then',
  (_, data) => {
    const random = noise(10)
    for (const coding of CODINGS) {
      const stream = deflateSync(data, coding)
      const parts = [stream.subarray(0, 7), stream.subarray(7), TAIL]
      for (const [i, byte] of [0, 255, ...random].entries()) {
        const bytes = Math.max(1, Math.floor((byte / 256) * data.length) - i)
        const cut = cutZlib(parts, bytes) ?? expect.fail(`no cut at ${bytes}`)
        expect(cut.length).toBeLessThanOrEqual(stream.length)
        expectCut(cut, data, bytes, `${JSON.stringify(coding)} at ${bytes}`)
        expect(cutZlib([cut], bytes)).toEqual(cut)
      }
    }
  },
)

test('without copies nothing is left behind the cut', () => {
  const data = noise(100_000)
  for (const bytes of [1, 65_534, 65_535, 65_536, 99_999, 100_000]) {
    const cut = cutZlib([deflateSync(data, { level: 0 })], bytes) ?? expect.fail(`no cut at ${bytes}`)
    expect(inflateSync(cut)).toEqual(Buffer.from(data.subarray(0, bytes)))
  }
})

test('a stream of many blocks ends in the one that is cut', () => {
  expect(inflateSync(cutZlib([smallBlocks(50)], 20) ?? expect.fail())).toHaveLength(20)
})

test('a stream that has fewer bytes is not cut, nor is a broken one', () => {
  const stream = deflateSync(noise(1000))
  expect(cutZlib([stream], 1001)).toBeUndefined()
  expect(cutZlib([stream.subarray(0, 500)], 900)).toBeUndefined()
  expect(cutZlib([concat([Uint8Array.of(0x78, 0x9c, 0b111), new Uint8Array(9)])], 1)).toBeUndefined()
})

test('a copy from before the stream breaks it', () => {
  // A fixed block (RFC 1951, 3.2.6): a copy of 3 bytes from 1 byte before, and the end.
  expect(cutZlib([Uint8Array.of(0x78, 0x9c, 0b011, 0b0_00000_10, 0, 0, 0, 0, 0)], 2)).toBeUndefined()
})
