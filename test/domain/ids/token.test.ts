import { describe, expect, test } from 'vitest'
import { digestOf } from '../../../src/domain/ids/digest.ts'
import {
  createGalleryHash,
  createManagementToken,
  createUploadToken,
  isManagementToken,
  shardOfGallery,
  shardOfManagement,
} from '../../../src/domain/ids/token.ts'
import { SHARDS_MAX } from '../../../src/limits.ts'

/** The forms of all names from before sharding: a token is 32 bytes in base64url. */
const FORMS_OF_SHARD_0 = { gallery: /^[A-Za-z0-9]{12}$/, management: /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/ }
const FURTHER_SHARDS = Array.from({ length: SHARDS_MAX - 1 }, (_, at) => at + 1)

test.each([
  ['gallery hash', () => createGalleryHash(0), FORMS_OF_SHARD_0.gallery],
  ['gallery hash of another shard', () => createGalleryHash(31), /^[A-Za-z0-9]{12}f$/],
  ['upload token', createUploadToken, /^[A-Za-z0-9]{43}$/],
  ['management token', () => createManagementToken(0), FORMS_OF_SHARD_0.management],
  ['management token of another shard', () => createManagementToken(31), /^[A-Za-z0-9_-]{42}p$/],
] as const)('a %s has its form and is new each time (D9)', (_, create, form) => {
  const made = Array.from({ length: 200 }, () => create())
  for (const token of made) expect(token).toMatch(form)
  expect(new Set(made).size).toBe(made.length)
})

test.each([
  ['a'.repeat(43), true],
  [`${'-_'.repeat(21)}9`, true],
  ['a'.repeat(42), false],
  ['a'.repeat(44), false],
  [`${'a'.repeat(42)}=`, false],
  [`${'a'.repeat(43)}\n`, false],
])('%o is a management token: %s', (text, expected) => {
  expect(isManagementToken(text)).toBe(expected)
})

test('a digest is SHA-256 in hexadecimal', async () => {
  expect(await digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

describe('the shard in a name', () => {
  test.each(FURTHER_SHARDS)('has a form that no name of shard 0 has: shard %i', (shard) => {
    for (let round = 0; round < 20; round++) {
      const [hash, token] = [createGalleryHash(shard), createManagementToken(shard)]
      expect([shardOfGallery(hash), shardOfManagement(token)]).toEqual([shard, shard])
      expect(hash).not.toMatch(FORMS_OF_SHARD_0.gallery)
      expect(token).not.toMatch(FORMS_OF_SHARD_0.management)
      expect(isManagementToken(token)).toBe(true)
    }
  })

  test('names from before sharding, and unknown ones, are read from shard 0', () => {
    for (let round = 0; round < 500; round++) {
      expect([shardOfGallery(createGalleryHash(0)), shardOfManagement(createManagementToken(0))]).toEqual([0, 0])
    }
    for (const hash of ['', 'x', 'a'.repeat(11), 'b'.repeat(14), `${'a'.repeat(12)}-`])
      expect(shardOfGallery(hash)).toBe(0)
  })
})
