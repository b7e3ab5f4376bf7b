import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../tools/commands.ts'

const CODEC = path.resolve(import.meta.dirname, '..')
const run = promisify(execFile)

test('the package is installed in an empty folder, and the example of its README makes a thumbnail there', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tintype-codec-'))
  await run(process.execPath, [path.join(CODEC, '../tools/build/codec-package.ts')])
  const packing = ['pack', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', packing, { cwd: path.join(CODEC, 'dist') })
  const files = [...stdout.matchAll(/"path": "([^"]+)"/g)].map(([, file = '']) => file)
  expect(files.filter((file) => !file.startsWith('types/')).toSorted()).toEqual([
    ...['LICENSE', 'README.md', 'browser.mjs', 'codec.wasm', 'node.mjs', 'package.json', 'workers.mjs'],
  ])

  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', '--offline', './tintype-codec-2.0.0.tgz'], { cwd: folder })
  const [, example = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(path.join(CODEC, 'README.md'), 'utf8')) ?? []
  writeFileSync(path.join(folder, 'example.js'), example)
  const photo = sharp({ create: { width: 1200, height: 900, channels: 3, background: 'teal' } }).jpeg()
  writeFileSync(path.join(folder, 'photo.jpg'), await photo.toBuffer())
  const { stdout: printed } = await run(process.execPath, ['example.js'], { cwd: folder })
  expect(printed).toBe('400 x 300\n')
  const made = await sharp(path.join(folder, 'thumbnail.webp')).metadata()
  expect(made).toMatchObject({ format: 'webp', width: 400, height: 300 })

  const typed = `import { type LosslessOptions, type TurnRule, type Size, createCodec, probe, rows } from 'tintype-codec'
    export const size = async (bytes: Uint8Array, options: LosslessOptions, turns: TurnRule): Promise<Size | undefined> =>
      (await createCodec({ turns }).lossless(bytes, options))?.size ?? probe(bytes)?.size
    export const stream: ReadableStream<Uint8Array> = rows(new Uint8Array())`
  writeFileSync(path.join(folder, 'typed.ts'), typed)
  const options = ['--strict', '--target', 'es2024', '--lib', 'es2024,dom', '--module', 'nodenext', '--types', '']
  await run(path.join(CODEC, '../node_modules/.bin/tsc'), ['--noEmit', ...options, 'typed.ts'], { cwd: folder })
})

test('its README names all that it exports', async () => {
  const readme = readFileSync(path.join(CODEC, 'README.md'), 'utf8')
  const exported = Object.keys(await import('../src/workers.ts'))
  expect(exported).toContain('thumbnail')
  expect(exported.filter((name) => !new RegExp(`\`${name}\\b`).test(readme))).toEqual([])
})

test('its commands are commands of the repository', () => {
  const scriptsIn = (folder: string): Record<string, string> =>
    JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).scripts
  const { test: testing = '', bench = '' } = scriptsIn(CODEC)
  const called = [testing, bench].map((command) => /^npm --prefix \.\. (?:run tintype -- )?([\w:]+)/.exec(command)?.[1])
  expect(called).toEqual(['test', 'bench:codecs'])
  expect(Object.keys({ ...scriptsIn(path.dirname(CODEC)), ...COMMANDS.Measurements })).toEqual(
    expect.arrayContaining(called),
  )
  expect(testing).toMatch(/ --project codec$/)
})
