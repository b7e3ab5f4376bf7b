import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GENERATED, makeWhenChanged, writeWhole } from '../../../tools/shared/when-changed.ts'

let folder: string
let source: string
let output: string
let record: string
let made: number

beforeEach(() => {
  mkdirSync(GENERATED, { recursive: true })
  folder = mkdtempSync(join(GENERATED, 'test-'))
  source = join(folder, 'source')
  // Its record is named after it.
  output = join(folder, `${folder.slice(-6)}.out`)
  record = join(GENERATED, 'made-of', `${folder.slice(-6)}.out.json`)
  writeFileSync(source, 'one')
  made = 0
})

afterEach(() => {
  rmSync(folder, { recursive: true })
  rmSync(record, { force: true })
})

const make = (sources: string[], read: string[] = []) =>
  makeWhenChanged({
    what: 'a test',
    outputs: [output],
    sources,
    make: () => {
      made++
      writeWhole(output, `${readFileSync(source)} ${made}`)
      return read
    },
  })

test('what has not changed is made once', async () => {
  for (let call = 0; call < 3; call++) await make([source])
  expect(made).toBe(1)
})

test('a source that changes has it made again', async () => {
  await make([source])
  writeFileSync(source, 'two')
  await make([source])
  expect(readFileSync(output, 'utf8')).toBe('two 2')
})

test('a file that comes into a folder of sources counts, one that goes too', async () => {
  const sources = join(folder, 'sources')
  mkdirSync(join(sources, 'inner'), { recursive: true })
  await make([sources])
  writeFileSync(join(sources, 'inner', 'file'), '')
  await make([sources])
  rmSync(join(sources, 'inner', 'file'))
  await make([sources])
  await make([sources])
  expect(made).toBe(3)
})

test('what was read while it was made counts from then on, also when it is gone', async () => {
  const read = join(folder, 'read')
  writeFileSync(read, 'one')
  await make([source], [read])
  await make([source], [read])
  expect(made).toBe(1)
  writeFileSync(read, 'two')
  await make([source], [read])
  expect(made).toBe(2)
  rmSync(read)
  await make([source], [read])
  expect(made).toBe(3)
})

test('what is missing is made again', async () => {
  await make([source])
  rmSync(output)
  await make([source])
  expect(made).toBe(2)
})

test('what was cut off is made again, though half of it is there and the sources are as before', async () => {
  await make([source])
  writeFileSync(source, 'two')
  const cutOff = makeWhenChanged({
    what: 'a test',
    outputs: [output],
    sources: [source],
    make: () => {
      writeFileSync(output, 'ha')
      throw new Error('cut off')
    },
  })
  await expect(cutOff).rejects.toThrow('cut off')
  writeFileSync(source, 'one')
  await make([source])
  expect(readFileSync(output, 'utf8')).toBe('one 2')
})

test('nothing is left of a file but itself', () => {
  writeWhole(output, 'all')
  expect(readFileSync(output, 'utf8')).toBe('all')
  expect(existsSync(`${output}.${process.pid}`)).toBe(false)
})
