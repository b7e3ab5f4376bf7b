import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { releaseDataFolder, takeDataFolder, warningOfRights } from '../../../tools/serve/data/data-folder.ts'
import { LIMITER_KEY, prepareLimiterObjects } from '../../../tools/serve/limiter-objects.ts'
import { ensureOperatorKeys } from '../../../tools/shared/operator-key.ts'

let data: string
beforeEach(() => {
  data = mkdtempSync(path.join(tmpdir(), 'tintype-first-start-'))
})
afterEach(() => rmSync(data, { recursive: true }))

const keyFile = () => path.join(data, 'operator.key')

test.each([
  ['no file', undefined],
  ['an empty one', ''],
  ['zero bytes', '\0'.repeat(65)],
])('a key is created if a power cut left %s, and stays', (_, left) => {
  if (left !== undefined) writeFileSync(keyFile(), left)
  // Of a write by another account that was interrupted before the rename.
  writeFileSync(`${keyFile()}.new`, 'half', { mode: 0o644 })
  const keys = ensureOperatorKeys(data)
  expect(keys).toMatch(/^operator:[0-9a-f]{64}$/)
  expect(readFileSync(keyFile(), 'utf8')).toBe(`${keys.slice('operator:'.length)}\n`)
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
  expect(ensureOperatorKeys(data)).toBe(keys)
})

test('keys that were written by hand are never replaced', () => {
  writeFileSync(keyFile(), 'too-short\n')
  expect(() => ensureOperatorKeys(data)).toThrow('holds no key in line 1: it must be 32 characters or more')
  expect(readFileSync(keyFile(), 'utf8')).toBe('too-short\n')
})

test('only the owner can read a new data folder; the operator is warned of one that everybody can read, and its rights stay', async () => {
  const folder = path.join(data, 'of', 'new')
  expect(await takeDataFolder(folder)).toBe(true)
  releaseDataFolder(folder)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(warningOfRights(folder)).toBe(undefined)
  for (const [mode, warns] of [
    [0o750, false],
    [0o751, true],
    [0o755, true],
  ] as const) {
    chmodSync(folder, mode)
    expect([mode, warningOfRights(folder) !== undefined]).toEqual([mode, warns])
    expect(await takeDataFolder(folder)).toBe(true)
    releaseDataFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(mode)
  }
  expect(warningOfRights(folder)).toMatch(/^Note: everybody on this machine may read .* \(755\): chmod 700 it, or 750/)
})

test('the files that version 2.0 stored for each client are removed, also by a second start', () => {
  const old = path.join(data, 'do', 'tintype-RateLimiter')
  prepareLimiterObjects(data)
  const current = path.join(data, 'do', LIMITER_KEY)
  writeFileSync(path.join(current, 'object.sqlite'), 'buckets')
  mkdirSync(old)
  for (const name of ['a.sqlite', 'a.sqlite-wal', 'metadata.sqlite']) writeFileSync(path.join(old, name), '')
  for (let start = 0; start < 2; start++) {
    prepareLimiterObjects(data)
    expect([existsSync(old), readFileSync(path.join(current, 'object.sqlite'), 'utf8')]).toEqual([false, 'buckets'])
  }
})
