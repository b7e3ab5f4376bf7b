import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { NAMED_FILES } from './order.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const files = ['test', 'codec/test'].flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: ROOT }))

test.each(NAMED_FILES)('%s, which has a place in the order, is one file', (end) => {
  expect(files.filter((file) => `/${file}`.endsWith(end))).toHaveLength(1)
})
