import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { COMMANDS } from '../../tools/commands.ts'
import { exampleOf } from './readme.ts'

const CODEC = path.resolve(import.meta.dirname, '..')
const run = promisify(execFile)

const folder = mkdtempSync(path.join(tmpdir(), 'tintype-codec-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the package works in an empty folder: in Node.js, in a bundle for Workers or browsers, and in strict TypeScript', async () => {
  await run(process.execPath, [path.join(CODEC, '../tools/build/codec-package.ts')])
  const packing = ['pack', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', packing, { cwd: path.join(CODEC, 'dist') })
  const files = [...stdout.matchAll(/"path": "([^"]+)"/g)].map(([, file = '']) => file)
  expect(files.filter((file) => !file.startsWith('types/')).toSorted()).toEqual([
    ...['LICENSE', 'README.md', 'browser.mjs', 'codec.wasm', 'node.mjs', 'package.json', 'workers.mjs'],
  ])

  writeFileSync(path.join(folder, 'package.json'), '{ "private": true, "type": "commonjs" }')
  const { version } = JSON.parse(readFileSync(path.join(CODEC, 'package.json'), 'utf8'))
  await run('npm', ['install', '--offline', `./tintype-codec-${version}.tgz`], { cwd: folder })
  const installed = path.join(folder, 'node_modules/tintype-codec')
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ license: 'MIT', engines: { node: expect.any(String) } })
  expect(manifest).toMatchObject({
    repository: { directory: 'codec' },
    bugs: { url: expect.stringContaining('/issues') },
  })
  for (const own of ['private', 'scripts', 'imports', 'publishConfig', 'devDependencies'])
    expect(manifest).not.toHaveProperty(own)
  writeFileSync(path.join(folder, 'thumb.mjs'), exampleOf('thumb.mjs'))
  const photo = sharp({ create: { width: 1200, height: 900, channels: 3, background: 'teal' } }).jpeg()
  writeFileSync(path.join(folder, 'photo.jpg'), await photo.toBuffer())
  const { stdout: printed } = await run(process.execPath, ['thumb.mjs'], { cwd: folder })
  expect(printed).toBe('400 x 300\n')
  const made = await sharp(path.join(folder, 'thumbnail.webp')).metadata()
  expect(made).toMatchObject({ format: 'webp', width: 400, height: 300 })

  const typed = `import { type LosslessOptions, type TurnRule, type Size, createCodec, pixels, probe, rows, thumbnail } from 'tintype-codec'
    export const size = async (bytes: Uint8Array, options: LosslessOptions, turns: TurnRule): Promise<Size | undefined> =>
      (await createCodec({ turns }).lossless(bytes, options))?.size ?? probe(bytes)?.size
    export const stream: ReadableStream<Uint8Array> = rows(new Uint8Array())
    export const blob = async (image: Uint8Array) => new Blob([(await thumbnail(image, { width: 400, height: 400 })).bytes])
    export const shown = async (image: Uint8Array) => {
      const { rgba, width, height } = await pixels(image)
      return new ImageData(rgba, width, height)
    }`
  writeFileSync(path.join(folder, 'typed.mts'), typed)
  const options = ['--strict', '--target', 'es2024', '--lib', 'es2024,dom', '--module', 'nodenext', '--types', '']
  await run(path.join(CODEC, '../node_modules/.bin/tsc'), ['--noEmit', ...options, 'typed.mts'], { cwd: folder })

  await runInWorker()
  const bundle = await bundleOf('browser', `import { thumbnail } from 'tintype-codec'; globalThis.made = thumbnail`)
  expect(bundle).toContain('new URL("codec.wasm", import.meta.url)')
  expect(bundle).not.toMatch(/from ?"/)
})

/** Returns a bundle of a program that imports the installed package. */
async function bundleOf(condition: 'workerd' | 'browser', contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    ...{ bundle: true, write: false, format: 'esm', platform: 'neutral', mainFields: [], external: ['./codec.wasm'] },
    conditions: [condition],
  })
  return outputFiles[0]?.text ?? expect.fail('no bundle')
}

/** Expects that the README's Worker, with the installed package, makes a thumbnail, and refuses what is no image. */
async function runInWorker(): Promise<void> {
  const program = path.join(folder, 'worker.mjs')
  writeFileSync(program, await bundleOf('workerd', exampleOf('worker.js')))
  copyFileSync(path.join(folder, 'node_modules/tintype-codec/codec.wasm'), path.join(folder, 'codec.wasm'))
  const modules = [
    { type: 'ESModule' as const, path: program },
    { type: 'CompiledWasm' as const, path: path.join(folder, 'codec.wasm') },
  ]
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      telemetry: { enabled: false },
      workers: [{ name: 'stranger', compatibilityDate: '2026-10-20', modulesRoot: folder, modules }],
    }),
  )
  const post = (body: Uint8Array) => miniflare.dispatchFetch('http://worker/', { method: 'POST', body })
  const response = await post(readFileSync(path.join(folder, 'photo.jpg')))
  const made = await sharp(await response.arrayBuffer()).metadata()
  expect(made).toMatchObject({ format: 'webp', width: 400, height: 300 })
  expect(await post(Uint8Array.of(1))).toMatchObject({ status: 422 })
  await miniflare.dispose()
}

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
