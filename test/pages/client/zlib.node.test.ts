import { crc32 as expected } from 'node:zlib'
import { expect, test } from 'vitest'
import { crc32 } from '../../../src/pages/client/zlib.ts'

test.each(['', 'a', '123456789', 'IEND', '\0\xff'.repeat(1000)])("the page's CRC of %j is that of Node.js", (text) => {
  const bytes = Buffer.from(text, 'latin1')
  expect(crc32(bytes)).toBe(expected(bytes))
})
