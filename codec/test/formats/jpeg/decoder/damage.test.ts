import { expect, test } from 'vitest'
import { Status } from '../../../../assembly/status.ts'
import { accepted, decode, newCodec, open } from './decoder.ts'
import { assertGolden } from './golden.ts'
import { photo } from './images.ts'
import { find, written } from './segments.ts'
import { toJpeg } from './sharp.ts'

const codec = newCodec()
const image = photo(320, 240, 4)
const SIZE: [number, number] = [160, 120]
const baseline = await toJpeg(image)
const progressive = await toJpeg(image, { progressive: true })

for (const part of [0.3, 0.5, 0.8, 0.99]) {
  test(`a baseline file cut after ${part * 100} % shows what libjpeg shows`, () =>
    assertGolden(codec, baseline.slice(0, baseline.length * part), SIZE, 40))
  test(`a progressive file cut after ${part * 100} % shows nearly what libjpeg shows`, () =>
    assertGolden(codec, progressive.slice(0, progressive.length * part), SIZE, 30))
}

const sof = find(baseline, 0xc0)
const sos = find(baseline, 0xda)
const REFUSALS: [string, Uint8Array, number][] = [
  ['nothing', new Uint8Array(0), Status.Malformed],
  ['no SOI', baseline.slice(2), Status.Malformed],
  ['SOI alone', baseline.slice(0, 2), Status.Malformed],
  ['no SOF', written(baseline, sof + 1, 0xfe), Status.Malformed],
  ['no SOS', baseline.slice(0, sos), Status.Malformed],
  ['no data', baseline.slice(0, sos + 14), Status.NoPixels],
  ['a height of 0', written(baseline, sof + 5, 0, 0), Status.Malformed],
  ['a width of 0', written(baseline, sof + 7, 0, 0), Status.Malformed],
  ['12 bits', written(baseline, sof + 4, 12), Status.Unsupported],
  ['hierarchical coding', written(baseline, sof + 1, 0xc5), Status.Unsupported],
  ['lossless coding', written(baseline, sof + 1, 0xc3), Status.Unsupported],
  ['two frames', new Uint8Array([...baseline.slice(0, sos), ...baseline.slice(sof)]), Status.Malformed],
  ['a sampling factor of 0', written(baseline, sof + 11, 0x02), Status.Malformed],
  ['a sampling factor of 5', written(baseline, sof + 11, 0x51), Status.Malformed],
  ['more than ten blocks an MCU', written(baseline, sof + 11, 0x44), Status.Malformed],
  ['an unknown component in a scan', written(baseline, sos + 5, 99), Status.Malformed],
  ['an undefined quantization table', written(baseline, sof + 12, 3), Status.Malformed],
  ['an undefined Huffman table', written(baseline, sos + 6, 0x22), Status.Malformed],
  ['a Huffman table number of 8', written(baseline, sos + 6, 0x80), Status.Malformed],
  ['a Huffman table of too many codes', written(baseline, find(baseline, 0xc4) + 5, 9), Status.Malformed],
  ['a segment length of 1', written(baseline, find(baseline, 0xdb) + 2, 0, 1), Status.Malformed],
  [
    'a band that ends before it begins',
    written(progressive, find(progressive, 0xda, find(progressive, 0xda) + 2) + 7, 9, 3),
    Status.Malformed,
  ],
  [
    'a progressive file cut in a Huffman table',
    progressive.slice(0, find(progressive, 0xc4, find(progressive, 0xda)) + 9),
    Status.Malformed,
  ],
]
for (const [what, file, status] of REFUSALS) {
  test(`${what} is refused`, () => expect(decode(codec, file, { size: SIZE })).toBe(status))
}

/** The progressive file with its last scan, header and all, repeated until there are `count` scans. */
function withScans(count: number): Uint8Array {
  const starts: number[] = []
  for (let at = find(progressive, 0xda); at >= 0; at = find(progressive, 0xda, at + 2)) starts.push(at)
  const last = progressive.slice(starts[0] ?? 0, find(progressive, 0xc4, starts[0]))
  const parts = Array.from({ length: count - starts.length }, () => [...last]).flat()
  return new Uint8Array([...progressive.slice(0, -2), ...parts, 0xff, 0xd9])
}

test('100 scans are decoded, 101 are not', () => {
  accepted(decode(codec, withScans(100), { size: SIZE }))
  expect(decode(codec, withScans(101), { size: SIZE })).toBe(Status.OverBudget)
})

test('coefficients of more than the budget cost oversampling first, then the image', () => {
  const statusWithin = (budget: number) => {
    open(codec, progressive)
    codec.toImage(...SIZE, 1)
    return codec.decodeJpeg(2, codec.peakBytes() + budget)
  }
  expect(statusWithin(400_000)).toBe(Status.Ok)
  expect(statusWithin(150_000)).toBe(Status.Ok)
  expect(statusWithin(100_000)).toBe(Status.OverBudget)
})
