import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { QUESTIONS } from '../tools/verify/rehearsal-questions.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const COLUMNS = ['assumption', 'the code', 'production', 'the local runtime', 'the test that would notice']
/** Marks an assumption that no page of the platform states. */
const NOT_READ = 'No source was read'

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8')
const document = read('docs/platform.md')
const rows = rowsOf(document)

describe('docs/platform.md', () => {
  test('has a table of assumptions', () => {
    expect(rows.length).toBeGreaterThan(20)
    expect(new Set(rows.map(({ assumption }) => assumption)).size).toBe(rows.length)
  })

  test.for(rows)('$assumption: the quoted code exists', ({ code }) => {
    const named = namedIn(code)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter(({ file, text }) => !read(file).includes(text))).toEqual([])
  })

  test.for(rows)('$assumption: its source has an address and a date, or is marked as missing', ({ production }) => {
    const isSourced = /\]\(https:\/\/[^)\s]+\)/.test(production) && /\bread 20\d\d-\d\d-\d\d\b/.test(production)
    expect(isSourced || production.includes(NOT_READ), production).toBe(true)
  })

  test.for(rows)('$assumption: a test covers it', ({ proof }) => {
    const tests = namedIn(proof)
    const isTest = (file: string) => /(?:\.test\.tsx?$|^test\/|^\.ci\/)/.test(file)
    expect(tests.filter(({ file, text }) => !isTest(file) || !read(file).includes(text))).toEqual([])
    const asked = [...proof.matchAll(/\[([^\]]*)\]\(#questions\)/g)].map(([, id = '']) => id)
    expect(asked.filter((id) => !QUESTIONS.some((question) => question.id === id))).toEqual([])
    expect(tests.length > 0 || asked.length > 0 || proof.startsWith('none: '), proof).toBe(true)
  })

  test('lists the questions of npm run rehearse, each in a row', () => {
    const listed = document.match(/^\| [^|]+\? (?=\|)/gm) ?? []
    expect(listed.map((cell) => cell.slice(2, -1))).toEqual(QUESTIONS.map(({ asks }) => asks))
    const asked = rows.map(({ proof }) => proof).join()
    expect(QUESTIONS.filter(({ id }) => !asked.includes(`[${id}](#questions)`))).toEqual([])
  })
})

/** Returns the rows of the first table, whose columns are COLUMNS. */
function rowsOf(text: string) {
  const lines = text.split('\n')
  const head = lines.indexOf(`| ${COLUMNS.join(' | ')} |`)
  if (head < 0) throw new Error(`docs/platform.md must have a table of ${COLUMNS.join(', ')}`)
  const end = lines.findIndex((line, at) => at > head && !line.startsWith('|'))
  return lines.slice(head + 2, end < 0 ? undefined : end).map((line) => {
    const cells = line.slice(2, -2).split(' | ')
    const [assumption = '', code = '', production = '', , proof = ''] = cells
    if (cells.length !== COLUMNS.length) throw new Error(`a row of docs/platform.md must have 5 cells: ${line}`)
    return { assumption, code, production, proof }
  })
}

/**
 * Returns the files that a cell links to, with every `text` that it quotes of them. A link alone quotes an empty text.
 */
function namedIn(cell: string): { file: string; text: string }[] {
  return cell.split(/(?=\[[^\]]*\]\(\.\.\/)/).flatMap((part) => {
    const [link, file = ''] = /^\[[^\]]*\]\(\.\.\/([^)#]+)\)/.exec(part) ?? []
    if (link === undefined) return []
    const texts = [...part.slice(link.length).matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
    return texts.length === 0 ? [{ file, text: '' }] : texts.map((text) => ({ file, text }))
  })
}
