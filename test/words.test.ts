import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { sentencesOf, wordCount } from './words/prose.ts'
import { RULES, type Rule, readFor } from './words/rules.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
/** Folders of `src/` that are reported apart. */
const ROOMS = /^src\/(?:domain|http|image|pages|storage)(?=\/)/
/** These quote the phrases, are data, or never change after they landed. */
const EXEMPT = /^(?:test\/words|test\/fixtures\/|src\/pages\/messages\/|migrations\/)/

const readings = tracked()
  .filter((file) => /\.(?:tsx?|mjs|css|sql|md)$/.test(file) && !EXEMPT.test(file))
  .map((file) => ({ area: areaOf(file), ...readFor(file, readFileSync(path.join(ROOT, file), 'utf8')) }))
const areas = [...new Set(readings.map(({ area }) => area))].toSorted()
const changed = changedFiles()

describe.each(Object.entries(RULES) as [Rule, (typeof RULES)[Rule]][])('%s', (rule, find) => {
  test.for(areas)('in %s', (area) => {
    const findings = readings.filter((reading) => reading.area === area).flatMap(find)
    if (findings.length === 0) return
    const recent = findings.filter(({ file }) => changed.has(file))
    const shown = (recent.length > 0 ? recent : findings).map(({ file, line, text }) => `${file}:${line} ${text}`)
    throw new Error(`${area} has ${findings.length} of "${rule}":\n${shown.join('\n')}`)
  })
})

test('the median sentence is short', () => {
  const median = (isDocument: boolean) => {
    const counts = readings
      .filter((reading) => reading.isDocument === isDocument)
      .flatMap(({ prose }) => prose.flatMap(({ text }) => sentencesOf(text)).map(wordCount))
    return counts.toSorted((a, b) => a - b)[counts.length >> 1] ?? 0
  }
  const [documents, comments] = [median(true), median(false)]
  console.log(`median words of a sentence: ${documents} in documents, ${comments} in comments`)
  expect(Math.max(documents, comments)).toBeLessThan(20)
})

describe('the rules find', () => {
  const long = `${'word '.repeat(30)}end.`
  test.for<[rule: Rule, file: string, source: string, count: number]>([
    ['headless', 'a.ts', '/** What is stored. */\nconst a = 1', 1],
    ['headless', 'a.ts', 'a() // How much it holds.', 1],
    ['headless', 'a.ts', '/** How rows are counted. */', 1],
    ['headless', 'a.ts', "const a = '// What is stored.'\n/** Returns what is stored. */", 0],
    ['headless', 'a.sql', '-- Who sent it.', 1],
    ['headless', 'a.md', 'What follows is a list.', 0],
    ['phrases', 'a.md', 'The key stands\nin the file.', 1],
    ['phrases', 'a.md', '    the key stands in the file', 0],
    ['phrases', 'a.ts', '/**\n * Errors that clients\n * are told of.\n */', 1],
    ['words in text', 'a.md', 'The answer has a picture.', 1],
    ['words in text', 'a.ts', '/** The answer has a picture. */', 2],
    ['words in strings', 'test/a.ts', "test('an answer has a picture', () => log('an answer here'))", 2],
    ['words in strings', 'test/a.ts', "describe.skipIf(a('b c'))(`$" + '{b} gives`, () => {})', 1],
    [
      'words in strings',
      'test/a.ts',
      "test.for([\n  ['its answer', f(1)],\n] as const)(\n  'the \"answer\" of %s', f)",
      0,
    ],
    ['words in strings', 'a.ts', "throw new Error('this answer is of no use')", 2],
    ['words in strings', 'a.ts', "const a = ['answer', 'a picture of it']", 0],
    ['names', 'a.ts', 'const pictureFigures = answers.lookup', 2],
    ['names', 'a.ts', "import { a } from './pictures.ts' // picture", 0],
    ['names', 'a.ts', 'const a = [/gone/, b ? /\\/gone/g : c / gone / d]', 1],
    ['names', 'a.ts', "// It's /one\nconst a = /['\"`]/\nconst gone = '`'", 1],
    ['names', 'a.ts', 'const { kept_avif, highWaterMark } = a', 0],
    ['names', 'a.ts', 'const placeholder = `$' + '{picture.name}`', 1],
    ['long sentences', 'a.md', `Short one. ${long} Short one.`, 1],
    ['long sentences', 'a.md', `| a | ${long} |`, 1],
    ['long sentences', 'a.md', `- ${'word '.repeat(20)}\n- ${'word '.repeat(20)}`, 0],
    ['long sentences', 'a.ts', `// ${'word '.repeat(16)}\n// ${'word '.repeat(16)}`, 1],
    ['long sentences', 'a.ts', `/** @param a ${'word '.repeat(16)}\n * @returns ${'word '.repeat(16)} */`, 0],
  ])('%s in %s: %s', ([rule, file, source, count]) => {
    expect(RULES[rule](readFor(file, source)).length).toBe(count)
  })
})

function areaOf(file: string): string {
  if (file.endsWith('.md')) return 'docs'
  if (!file.includes('/')) return 'test'
  return ROOMS.exec(file)?.[0] ?? file.split('/')[0] ?? ''
}

function tracked(): string[] {
  return git('ls-files', '-z').filter((file) => existsSync(path.join(ROOT, file)))
}

/** Returns the files that differ from the main line, to show their findings first. */
function changedFiles(): Set<string> {
  return new Set(git('diff', '--name-only', '-z', 'origin/main'))
}

function git(...args: string[]): string[] {
  return spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .stdout.split('\0')
    .filter((file) => file !== '')
}
