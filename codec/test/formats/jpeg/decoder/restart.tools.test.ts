import { test } from 'vitest'
import { cjpeg } from './cjpeg.ts'
import { newCodec } from './decoder.ts'
import { assertGolden } from './golden.ts'
import { photo } from './images.ts'
import { find, written } from './segments.ts'

const codec = newCodec()
const image = photo(320, 240, 4)
const SIZE: [number, number] = [160, 120]

test('a restart marker that is gone costs its interval, one too many is passed over', async () => {
  const file = cjpeg(image, '-restart', '1')
  for (const [from, to] of [
    [0xd3, 0xd5],
    [0xd3, 0xd4],
    [0xd4, 0xd3],
    [0xd2, 0xd6],
    [0xd2, 0x01],
  ] as const) {
    await assertGolden(codec, written(file, find(file, from), 0xff, to), SIZE, 35)
  }
})

test('a damaged byte within an interval does not show beyond it', async () => {
  const file = cjpeg(image, '-restart', '1')
  await assertGolden(codec, written(file, find(file, 0xd3) - 40, 0x12, 0x34, 0x56), SIZE, 35)
})
