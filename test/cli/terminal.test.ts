import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { sharedApi } from '../contract/support/api.ts'
import { SMALL_PNG, statusOf, uploadImage } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { cliEnvironment } from './support/run-cli.ts'

const BUNDLE = join(import.meta.dirname, '../../cli/dist/tintype-cli.mjs')
const run = promisify(execFile)
const api = sharedApi()

/** Runs a line of shell in a folder with three images. $CLI is the command line. */
async function shell(line: string, wrap: (line: string) => [string, string[]] = (line) => ['sh', ['-c', line]]) {
  const cwd = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG, 'c.png': SMALL_PNG })
  const env = { ...process.env, ...cliEnvironment(), CLI: `${process.execPath} ${BUNDLE}`, SHELL: '/bin/sh' }
  return (await run(...wrap(line), { cwd, env })).stdout
}

test('if the reader of the results leaves, the gallery is still finished', async () => {
  const link = (await shell('$CLI upload a.png b.png c.png --gallery -q | head -n 1')).trim()
  await expect.poll(() => statusOf(api, link)).toBe('available')
})

test('Ctrl-C ends the wait for a list on standard input', async () => {
  const child = spawn(process.execPath, [BUNDLE, 'status', '-'])
  const closed = once(child, 'close')
  // More than the pipe holds, so the program has read by then. Its output would not show it.
  await new Promise((resolve) => child.stdin.write('\n'.repeat(2 ** 20), resolve))
  child.kill('SIGINT')
  expect(await closed).toEqual([130, null])
})

/** script(1) of util-linux runs a program in a terminal. */
const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0

describe.skipIf(!hasScript)('at a terminal (needs script of util-linux)', () => {
  const atTerminal = (line: string): [string, string[]] => ['script', ['-qec', `stty cols 100; ${line}`, '/dev/null']]

  test('the progress is drawn in one line, and removed at the end', async () => {
    const stdout = await shell('$CLI upload a.png b.png c.png', atTerminal)
    expect(stdout).toMatch(/\] +\d+ % [abc]\.png/)
    expect(stdout).toMatch(/ 3 files, 0\.0 of 0\.0 MB/)
    const drawn = stdout.match(/^.* files, .*$/gm)?.length ?? 0
    expect(drawn).toBeGreaterThan(0)
    expect(stdout.split('\x1b[1A\x1b[2K').length).toBeGreaterThan(drawn)
    expect(stdout.slice(stdout.lastIndexOf('\x1b[2K'))).not.toMatch(/ files, /)
  })

  test('the help of a command fits a narrow terminal, with effects of options in a column', async () => {
    const stdout = await shell('stty cols 60; $CLI upload --help', atTerminal)
    const lines = stdout.split('\r\n')
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
    expect(stdout).toContain(
      '  --gallery [NAME]   into a new gallery, which is public\r\n                     once all are there. NAME is the next\r\n',
    )
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'files in them that are no pictures are skipped. A file that fails does',
    )
  })

  test.for([
    ['yes', 'deleted image', 'deleted'],
    ['no', 'nothing was deleted', 'available'],
    ['', 'nothing was deleted', 'available'],
  ] as const)('delete asks for confirmation; after "%s" it prints: %s', async ([typed, said, status]) => {
    const { managementToken, showUrl } = await uploadImage(api, { include_manage_url: '1' })
    const piped = (line: string): [string, string[]] => {
      const [script, args] = atTerminal(line)
      return ['sh', ['-c', `echo "${typed}" | "$0" "$@"`, script, ...args]]
    }
    // A failure is an exit code of 1, which the shell would report.
    const stdout = await shell(`$CLI delete ${managementToken} || true`, piped)
    expect(stdout).toContain('Delete the content of this link, for good? Type yes: ')
    expect(stdout).toContain(said)
    expect(await statusOf(api, showUrl)).toBe(status)
  })
})
