import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { exampleOf } from './readme.ts'

// The README's example in other runtimes: `npm install --global bun deno`.

const CODEC = path.resolve(import.meta.dirname, '..')
// Below /dev, such as in /dev/shm, Deno writes with `--allow-all` alone.
const TEMPORARY = tmpdir().startsWith('/dev/') ? '/var/tmp' : tmpdir()
const folder = mkdtempSync(path.join(TEMPORARY, 'tintype-codec-'))
afterAll(() => rmSync(folder, { recursive: true }))

execFileSync(process.execPath, [path.join(CODEC, '../tools/build/codec-package.ts')])
cpSync(path.join(CODEC, 'dist'), path.join(folder, 'node_modules/tintype-codec'), { recursive: true })
writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "commonjs" }')
writeFileSync(path.join(folder, 'thumb.mjs'), exampleOf('thumb.mjs'))
const photo = sharp({ create: { width: 1200, height: 900, channels: 3, background: 'teal' } }).jpeg()
writeFileSync(path.join(folder, 'photo.jpg'), await photo.toBuffer())

const RUNTIMES: readonly [string, string[]][] = [
  ['node', ['thumb.mjs']],
  ['bun', ['thumb.mjs']],
  ['deno', ['run', '--allow-read', '--allow-write', 'thumb.mjs']],
]
for (const [runtime, options] of RUNTIMES) {
  const isMissing = spawnSync(runtime, ['--version']).error !== undefined
  test(`the example runs in ${runtime}`, { skip: isMissing }, async () => {
    rmSync(path.join(folder, 'thumbnail.webp'), { force: true })
    expect(execFileSync(runtime, options, { cwd: folder, encoding: 'utf8' })).toBe('400 x 300\n')
    const made = await sharp(path.join(folder, 'thumbnail.webp')).metadata()
    expect(made).toMatchObject({ format: 'webp', width: 400, height: 300 })
  })
}
