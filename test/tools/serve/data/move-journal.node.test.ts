import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Journal, MOVING, readJournal, writeJournal } from '../../../../tools/serve/data/move-journal.ts'

const data = mkdtempSync(path.join(tmpdir(), 'tintype-journal-'))
afterAll(() => rmSync(data, { recursive: true }))

const JOURNAL: Journal = {
  direction: 'to cloudflare',
  worker: 'my-tintype',
  account: 'a1',
  begunAt: '2026-01-01T00:00:00.000Z',
  importedParts: [0, 1],
}

test('a journal is read as it was written', () => {
  writeJournal(data, JOURNAL)
  expect(readJournal(data)).toEqual(JOURNAL)
})

test.for([
  ['an empty object', {}],
  ['another direction', { ...JOURNAL, direction: 'to nowhere' }],
  ['a time that is a number', { ...JOURNAL, doneAt: 1 }],
  ['a shard that is a text', { ...JOURNAL, importedParts: ['0'] }],
] as const)('%s is no journal, and the service does not take it for one', ([, journal]) => {
  mkdirSync(path.join(data, MOVING), { recursive: true })
  writeFileSync(path.join(data, MOVING, 'journal.json'), JSON.stringify(journal))
  expect(() => readJournal(data)).toThrow(/journal\.json is no journal of a move: restore it, or remove /)
})
