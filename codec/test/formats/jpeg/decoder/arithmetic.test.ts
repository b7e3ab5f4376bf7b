import { expect, test } from 'vitest'
import { Status } from '../../../../assembly/status.ts'
import { usedEstimates } from './arithmetic-encoder.ts'
import { accepted, decode, newCodec } from './decoder.ts'
import { photo, psnr } from './images.ts'
import { type ArithmeticOptions, arithmeticJpeg } from './made-arithmetic.ts'
import { find, written } from './segments.ts'

const codec = newCodec()
const image = photo(160, 120, 5)
const FULL: [number, number] = [160, 120]
const CODINGS: readonly [string, ArithmeticOptions][] = [
  ['sequential', {}],
  ['sequential with restarts', { restart: 7 }],
  ['sequential, a scan for each component,', { separate: true }],
  ['sequential, a scan for each component, with restarts', { separate: true, restart: 7 }],
  ['progressive', { progressive: true }],
  ['progressive with restarts', { progressive: true, restart: 11 }],
]
const CONDITIONINGS: readonly ArithmeticOptions[] = [
  {},
  { conditioning: { lower: 0, upper: 0, kx: 1 } },
  { conditioning: { lower: 2, upper: 4, kx: 63 } },
  { conditioning: { lower: 15, upper: 15, kx: 20 } },
]

test.each(CODINGS)('%s arithmetic coding shows the image, by any conditioning', (_, coding) => {
  const [first, ...others] = CONDITIONINGS.map((conditioning) => {
    const file = arithmeticJpeg(image, { ...coding, ...conditioning })
    return accepted(decode(codec, file, { size: FULL })).bytes
  })
  if (!first) throw new Error('there is no conditioning')
  expect(psnr(first, 4, image.bytes, 3), 'dB').toBeGreaterThanOrEqual(40)
  for (const other of others) expect(other).toStrictEqual(first)
})

test('all codings show the same pixels, at every scale', () => {
  const files = CODINGS.map(([, coding]) => arithmeticJpeg(image, coding))
  for (const size of [FULL, [80, 60], [41, 30], [20, 15]] as const) {
    const [first, ...others] = files.map((file) => accepted(decode(codec, file, { size: [...size] })).bytes)
    for (const other of others) expect(other).toStrictEqual(first)
  }
})

test('most of the estimates of table D.3 were used', () => {
  for (const [, coding] of CODINGS) arithmeticJpeg(photo(160, 120, 6), coding)
  expect(usedEstimates.size).toBeGreaterThan(100)
})

test('a file that is cut shows what came before, and grey after', () => {
  const file = arithmeticJpeg(image)
  const whole = accepted(decode(codec, file, { size: FULL })).bytes
  const { bytes } = accepted(decode(codec, file.slice(0, file.length * 0.6), { size: FULL }))
  expect(bytes.subarray(0, 4 * 160 * 40)).toStrictEqual(whole.subarray(0, 4 * 160 * 40))
  expect([...bytes.subarray(-4)]).toEqual([128, 128, 128, 255])
})

const file = arithmeticJpeg(image, CONDITIONINGS[1])
const dac = find(file, 0xcc)
const sos = find(file, 0xda)
test.each<[string, Uint8Array, number]>([
  ['no data', file.slice(0, sos + 14), Status.NoPixels],
  ['a conditioning table of number 4', written(file, dac + 4, 4), Status.Malformed],
  ['a lower bound above the upper', written(file, dac + 5, 0x12), Status.Malformed],
  ['Kx of 0', written(file, dac + 7, 0), Status.Malformed],
  ['Kx of 64', written(file, dac + 7, 64), Status.Malformed],
  ['a table of number 4 in a scan', written(file, sos + 6, 0x40), Status.Malformed],
  ['lossless arithmetic coding', written(file, find(file, 0xc9) + 1, 0xcb), Status.Unsupported],
])('%s is refused', (_, damaged, status) => {
  expect(decode(codec, damaged, { size: FULL })).toBe(status)
})
