import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { completionScript } from '../../cli/src/terminal/completions.ts'
import { COMMANDS, findOption, OPTIONS, optionsOf, SHELLS, USAGE } from '../../cli/src/terminal/usage.ts'
import { folderWith } from './support/folder.ts'
import { runCli } from './support/run-cli.ts'

const isInstalled = (shell: string) => spawnSync(shell, ['--version']).status === 0

test.for(SHELLS)('completion %s prints the script', async (shell) => {
  expect(await runCli(['completion', shell])).toMatchObject({ code: 0, stdout: completionScript(shell), stderr: '' })
})

test.for([
  [[], 'completion takes bash, zsh, fish: received nothing'],
  [['ksh'], 'completion takes bash, zsh, fish: received "ksh"'],
] as const)('completion %j is wrong use', async ([args, sentence]) => {
  expect(await runCli(['completion', ...args])).toMatchObject({ code: 2, stderr: `tintype-cli: ${sentence}\n` })
})

test('summaries have no characters that shells interpret', () => {
  const summaries = [
    ...Object.keys(OPTIONS).map((name) => findOption(name)?.summary),
    ...COMMANDS.map((name) => USAGE[name].summary),
  ]
  expect(summaries.filter((summary) => summary === undefined || !/^[\w ,:()-]+$/.test(summary))).toEqual([])
  expect(summaries.filter((summary) => summary?.includes(':'))).toEqual([])
})

/** Lines to complete, with words that must and must not be offered. */
const LINES = [
  ['tintype-cli ', COMMANDS, ['a.png', '--gallery']],
  ['tintype-cli st', ['status'], ['upload']],
  ['tintype-cli upload --', optionsOf('upload').map(([name]) => `--${name}`), ['--fail', '--last']],
  ['tintype-cli status --f', ['--fail'], ['--format']],
  ['tintype-cli upload --format ', ['link', 'bbcode', 'json'], ['a.png']],
  ['tintype-cli cover --history ', ['off', 'links', 'private'], []],
  ['tintype-cli upload ', ['a.png', 'b c.png'], ['upload']],
  ['tintype-cli download --to ', ['folder'], ['a.png']],
  ['tintype-cli upload a.png --resume ', ['a.png'], ['link']],
  ['tintype-cli history ', ['delete', 'clear'], ['a.png']],
  ['tintype-cli completion ', SHELLS, ['a.png']],
  ['tintype-cli help up', ['upload'], ['status']],
] as const satisfies readonly (readonly [string, readonly string[], readonly string[]])[]

const files = () => folderWith({ 'a.png': '', 'b c.png': '', 'folder/c.png': '' })

describe.skipIf(!isInstalled('bash'))('bash', () => {
  test.for(LINES)('%s', async ([line, offered, others]) => {
    const words = completeInBash(await files(), line.split(' '))
    expect(words).toEqual(expect.arrayContaining([...offered]))
    for (const other of others) expect(words).not.toContain(other)
  })

  test('values after an equals sign, which is a word of its own', async () => {
    expect(completeInBash(await files(), ['tintype-cli', 'upload', '--format', '=', 'ma'])).toEqual(['markdown'])
    expect(completeInBash(await files(), ['tintype-cli', 'upload', '--format', '='])).toContain('html')
  })

  test('nothing after an option whose value is free', async () => {
    expect(completeInBash(await files(), ['tintype-cli', 'upload', '--thumbnail', ''])).toEqual([])
  })
})

function completeInBash(cwd: string, words: readonly string[]): string[] {
  const script = `eval "$SCRIPT"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tintype_cli; for word in "\${COMPREPLY[@]}"; do echo "$word"; done`
  const run = spawnSync('bash', ['--norc', '-c', script, 'bash', ...words], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, SCRIPT: completionScript('bash') },
  })
  expect(run.stderr).toBe('')
  return run.stdout.split('\n').slice(0, -1)
}

describe.skipIf(!isInstalled('fish'))('fish (apt install fish)', () => {
  test.for(LINES)('%s', async ([line, offered, others]) => {
    const cwd = await files()
    const run = spawnSync('fish', ['--no-config', '-c', 'echo $SCRIPT | source; complete -C $LINE'], {
      cwd,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: cwd, SCRIPT: completionScript('fish'), LINE: line },
    })
    expect(run.stderr).toBe('')
    const words = run.stdout.split('\n').map((one) => one.split('\t')[0]?.replace(/\/$/, ''))
    expect(words).toEqual(expect.arrayContaining([...offered]))
    for (const other of others) expect(words).not.toContain(other)
  })
})

describe.skipIf(!isInstalled('zsh'))('zsh (apt install zsh)', () => {
  test.for(LINES)('%s', async ([line, offered, others]) => {
    const text = completeInZsh(await files(), line)
    for (const word of offered) expect(text).toMatch(wordPattern(word))
    // The line itself is in the text.
    for (const other of others) if (!line.includes(other)) expect(text).not.toMatch(wordPattern(other))
  })
})

/** A word of a list, or of the completed line, where spaces are escaped and an equals sign may follow. */
function wordPattern(word: string): RegExp {
  const escaped = word.replace(/[.\\-]/g, '\\$&').replace(/ /g, '\\\\? ')
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`)
}

/** Types a line and a tab into an interactive zsh in a pseudo-terminal, and returns all that it prints. */
function completeInZsh(cwd: string, line: string): string {
  const script = `
    zmodload zsh/zpty
    zpty shell 'TERM=dumb COLUMNS=200 zsh -f -i'
    zpty -w shell 'PS1="> "; autoload -Uz compinit; compinit -D -u; eval "$SCRIPT"; setopt nobeep nolistbeep; LISTMAX=100000; stty cols 200; print REA""DY'
    zpty -r shell text '*READY*'
    zpty -w -n shell "$LINE"$'\\t'
    zpty -w shell $'\\C-a\\C-kprint DO""NE'
    zpty -r shell text '*DONE*'
    print -r -- "$text"`
  const run = spawnSync('zsh', ['-f', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: cwd, SCRIPT: completionScript('zsh'), LINE: line },
  })
  return run.stdout
}
