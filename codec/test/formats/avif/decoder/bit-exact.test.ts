import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Status } from '../../../../assembly/status.ts'
import { checksum, decodeAv1, newAv1Instance } from './decoder.ts'

/** Made images as aomenc codes them (matrix.ts), and what aomdec and dav1d make of them (bit-exact.tools.test.ts). */
const FIXTURES = join(import.meta.dirname, '..', '..', '..', '..', '..', 'test', 'fixtures', 'av1')
const sums: unknown = JSON.parse(readFileSync(join(FIXTURES, 'planes.json'), 'utf8'))

describe('a made image decodes to the samples that the reference decoders gave', () => {
  const av1 = newAv1Instance()
  for (const file of readdirSync(FIXTURES).filter((name) => name.endsWith('.obu'))) {
    test(file, () => {
      const units = readFileSync(join(FIXTURES, file))
      const plain = decodeAv1(av1, units, false)
      const grain = decodeAv1(av1, units, true)
      expect([plain.status, grain.status]).toEqual([Status.Ok, Status.Ok])
      expect(sums).toMatchObject({ [file.slice(0, -4)]: { plain: checksum(plain), grain: checksum(grain) } })
    })
  }
})
