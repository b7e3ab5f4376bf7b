import { expect, test } from 'vitest'
import {
  createGalleryHash,
  createManagementToken,
  createUploadToken,
  digestOf,
  isManagementToken,
} from '../../src/domain/token.ts'

test.each([
  ['gallery hash', createGalleryHash, /^[A-Za-z0-9]{12}$/],
  ['upload token', createUploadToken, /^[A-Za-z0-9]{43}$/],
  ['management token', createManagementToken, /^[A-Za-z0-9_-]{43}$/],
] as const)('a %s has its form and is new each time (D9)', (_, create, form) => {
  const made = Array.from({ length: 200 }, create)
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
