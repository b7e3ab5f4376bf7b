import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SMALL_PNG } from '../contract/support/steps.ts'
import { folderWith } from './support/folder.ts'
import { runCli } from './support/run-cli.ts'

const RECORDS = '#!/bin/sh\ncat > "$HOME/copied"\necho "$0 $*" > "$HOME/tool"\n'

/** Creates a folder with an image, and with these programs as the only ones of its PATH but the shell's own. */
async function desktop(programs: Readonly<Record<string, string>>) {
  const files = Object.fromEntries(Object.entries(programs).map(([name, script]) => [`bin/${name}`, script]))
  const home = await folderWith({ 'a.png': SMALL_PNG, 'b.png': SMALL_PNG, 'bin/none': '', ...files })
  for (const name of Object.keys(programs)) chmodSync(join(home, 'bin', name), 0o755)
  const run = (args: string[], env: Record<string, string>) =>
    runCli(args, { cwd: home, env: { HOME: home, PATH: `${home}/bin`, ...env } })
  const written = (name: string) => (existsSync(join(home, name)) ? readFileSync(join(home, name), 'utf8') : undefined)
  return { run, written }
}

const withCat = (script: string) => script.replace('#!/bin/sh\n', '#!/bin/sh\nPATH=/usr/bin:/bin\n')

describe.skipIf(process.platform !== 'linux')('--copy', () => {
  test.for([
    [{ WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, ['wl-copy', 'xclip'], 'wl-copy '],
    [{ DISPLAY: ':0' }, ['wl-copy', 'xclip', 'xsel'], 'xclip -selection clipboard'],
    [{ DISPLAY: ':0' }, ['xsel'], 'xsel --clipboard --input'],
    [{ WSL_DISTRO_NAME: 'Debian' }, ['clip.exe', 'xclip'], 'clip.exe '],
  ] as const)('in the surroundings %j with %j uses %s', async ([env, tools, used]) => {
    const programs = Object.fromEntries(tools.map((tool) => [tool, withCat(RECORDS)]))
    const { run, written } = await desktop(programs)
    const { code, lines } = await run(['upload', 'a.png', 'b.png', '--copy', '--manage'], env)
    expect(code).toBe(0)
    // No private link.
    expect(written('copied')).toBe(lines.filter((line) => !line.startsWith('manage: ')).join('\n'))
    expect(lines).toHaveLength(4)
    expect(written('tool')?.trim()).toContain(used.trim())
  })

  test('of a gallery is its link, and with --format its codes', async () => {
    const { run, written } = await desktop({ xsel: withCat(RECORDS) })
    const { lines } = await run(['upload', 'a.png', 'b.png', '--gallery=T', '--copy'], { DISPLAY: ':0' })
    expect(`gallery: ${written('copied')}`).toBe(lines.at(-1))
    const codes = await run(['upload', 'a.png', 'b.png', '--gallery=T', '--copy', '--format', 'bbcode'], {
      DISPLAY: ':0',
    })
    expect(written('copied')).toBe(codes.lines.slice(0, 2).join('\n'))
  })

  test.for([
    ['there is no program', {}, 'not copied: there is no clipboard. Install wl-copy, xclip or xsel\n'],
    ['it fails', { xclip: '#!/bin/sh\nexit 3\n' }, 'not copied: xclip failed\n'],
  ] as const)('%s: the upload is printed, and the failure reported', async ([, programs, sentence]) => {
    const { run } = await desktop(programs)
    const { code, lines, stderr } = await run(['upload', 'a.png', '--copy', '-q'], { DISPLAY: ':0' })
    expect({ code, stderr }).toEqual({ code: 1, stderr: sentence })
    expect(lines).toEqual([expect.stringMatching(/_a\.png$/)])
  })
})

describe.skipIf(process.platform !== 'linux')('--open', () => {
  const OPENER = '#!/bin/sh\necho "$*" > "$HOME/opened"\n'

  test('opens the page of the first image, or of the gallery', async () => {
    const { run, written } = await desktop({ 'xdg-open': OPENER })
    const { code, lines } = await run(['upload', 'a.png', 'b.png', '--open'], {})
    expect(code).toBe(0)
    expect(written('opened')).toBe(`${lines[0]}\n`)
    const gallery = await run(['upload', 'a.png', '--gallery', '--open', '--json'], {})
    expect(written('opened')).toBe(`${JSON.parse(gallery.stdout).gallery.gallery_url}\n`)
    const cover = await run(['cover', 'a.png', 'b.png', '--open'], {})
    expect(written('opened')).toBe(`${cover.lines[0]}\n`)
  })

  test('opens nothing if nothing was uploaded', async () => {
    const { run, written } = await desktop({ 'xdg-open': OPENER })
    expect((await run(['upload', 'none.png', '--open', '--copy'], {})).code).toBe(1)
    expect(written('opened')).toBeUndefined()
  })

  test('without a program', async () => {
    const { run } = await desktop({})
    expect(await run(['upload', 'a.png', '--open', '-q'], {})).toMatchObject({
      code: 1,
      stderr: 'not opened: there is no browser. Install xdg-utils\n',
    })
  })
})
