import sharp from 'sharp'
import { expect, test } from 'vitest'
import { probe } from '../../src/probe.ts'
import { listFixtures, readFixture } from '../probe/fixtures.ts'
import { strip } from './strip.ts'

const paths = listFixtures('valid').filter((path) => !path.startsWith('gif/'))
const withEverything = paths.filter((path) => path.includes('everything'))
const withNothing = paths.filter((path) => !path.includes('everything'))

test('there are fixtures of both kinds', () => {
  expect(withEverything.length).toBeGreaterThan(4)
  expect(withNothing.length).toBeGreaterThan(10)
})

test.each(withNothing)('%s stays as it is', (path) => {
  const bytes = readFixture('valid', path)
  expect(strip(bytes)).toEqual(bytes)
})

test.each(withEverything)('%s loses its metadata and nothing else', async (path) => {
  const bytes = readFixture('valid', path)
  const stripped = strip(bytes)
  expect(Buffer.from(bytes).includes('SECRET')).toBe(true)
  expect(Buffer.from(stripped).includes('SECRET')).toBe(false)
  expect(probe(stripped)).toEqual(probe(bytes))

  const [before, after] = await Promise.all([sharp(bytes).metadata(), sharp(stripped).metadata()])
  expect(before).toMatchObject({ exif: expect.anything(), xmp: expect.anything() })
  expect(after).not.toHaveProperty('xmp')
  expect(after).not.toHaveProperty('iptc')
  expect(after).not.toHaveProperty('comments')
  expect(after.icc).toEqual(before.icc)
  expect(after.icc).toBeDefined()
  // A TIFF of one entry has 26 bytes; the reader may put the six of `Exif\0\0` before it.
  const orientation = probe(bytes)?.orientation ?? 1
  expect(after.exif?.length ?? 0).toBeLessThanOrEqual(orientation === 1 ? 0 : 32)
  expect(after.orientation ?? 1).toBe(orientation)

  const pixels = (file: Uint8Array) => sharp(file).raw().toBuffer()
  expect((await pixels(stripped)).equals(await pixels(bytes))).toBe(true)
})
