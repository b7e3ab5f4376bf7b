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

test('unchanged output is built once', async () => {
  for (let call = 0; call < 3; call++) await make([source])
  expect(made).toBe(1)
})

test('a changed source builds it again', async () => {
  await make([source])
  writeFileSync(source, 'two')
  await make([source])
  expect(readFileSync(output, 'utf8')).toBe('two 2')
})

test('new and removed files in a folder of sources count', async () => {
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

test('files that were read during the build count from then on, also when they are removed', async () => {
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

test('missing output is built again', async () => {
  await make([source])
  rmSync(output)
  await make([source])
  expect(made).toBe(2)
})

test('interrupted output is built again, although half of it exists and the sources are unchanged', async () => {
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

test('only the output itself is left', () => {
  writeWhole(output, 'all')
  expect(readFileSync(output, 'utf8')).toBe('all')
  expect(existsSync(`${output}.${process.pid}`)).toBe(false)
})
