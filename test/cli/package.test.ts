import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { SMALL_PNG } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'

const CLI = join(import.meta.dirname, '../../cli')
const ROOT = join(CLI, '..')
const run = promisify(execFile)

test('npm pack makes a package of one file, its README and its licence, which npx runs', async () => {
  // In a folder without package.json, npx uses the nearest one above it with package.json or packages.
  const cwd = await folderWith({ 'a.png': SMALL_PNG, 'package.json': '{}' })
  const { stdout: packed } = await run('npm', ['pack', '--ignore-scripts=false', '--json', '--pack-destination', cwd], {
    cwd: CLI,
  })
  const files = [...packed.matchAll(/"path": "([^"]+)"/g)].map(([, file]) => file)
  expect(files.toSorted()).toEqual(['LICENSE', 'README.md', 'dist/tintype-cli.mjs', 'package.json'])

  const { version, ...manifest } = JSON.parse(readFileSync(join(CLI, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ bin: { 'tintype-cli': 'dist/tintype-cli.mjs' }, repository: { directory: 'cli' } })
  const npx = ['--yes', '--offline', '--cache', join(cwd, 'cache'), `./tintype-cli-${version}.tgz`]
  expect((await run('npx', [...npx, '--version'], { cwd })).stdout).toBe(`tintype-cli ${version}\n`)
  const { stdout } = await run('npx', [...npx, 'upload', 'a.png', '--url', inject('baseUrl')], { cwd })
  expect(stdout).toMatch(/^http:\S+_a\.png\n$/)
})

test('npm run cli runs it from the folder where it is called', async () => {
  const cwd = await folderWith({ 'a.png': SMALL_PNG })
  const args = ['--silent', '--prefix', ROOT, 'run', 'cli', '--', 'upload', 'a.png', '--url', inject('baseUrl')]
  const { stdout } = await run('npm', args, { cwd, env: { ...process.env, INIT_CWD: cwd } })
  expect(stdout).toMatch(/^http:\S+_a\.png\n$/)
})
