import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { type QrCode, qrCodeOf } from '../../../src/pages/shell/qr-code.ts'

/** Lengths in bytes on both sides of the capacity of each version (ISO/IEC 18004, table 7, level M). */
const CAPACITIES = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666]
const QUIET = 4
const SCALE = 3

/** Returns the text that another program reads from a code that is drawn in black and white. */
function read(code: QrCode): string | undefined {
  const size = (code.length + 2 * QUIET) * SCALE
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255)
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!code[Math.floor(y / SCALE) - QUIET]?.[Math.floor(x / SCALE) - QUIET]) continue
      pixels.fill(0, (y * size + x) * 4, (y * size + x) * 4 + 3)
    }
  }
  return jsQR(pixels, size, size)?.data
}

test.each(CAPACITIES.map((bytes, index) => [index + 1, bytes] as const))(
  'version %i holds %i bytes, and another program reads them',
  (version, bytes) => {
    const text = 'https://pics.example/show/12/34_'.repeat(30).slice(0, bytes)
    const code = qrCodeOf(text)
    expect(code?.length).toBe(17 + 4 * version)
    expect(code && read(code)).toBe(text)
  },
)

test('a text of one byte more takes the next version, and there is none after the last', () => {
  expect(qrCodeOf('a'.repeat(15))?.length).toBe(25)
  expect(qrCodeOf('a'.repeat(667))).toBeUndefined()
})

test('is UTF-8', () => {
  const code = qrCodeOf('https://例え.example/é')
  expect(code && read(code)).toBe('https://例え.example/é')
})
