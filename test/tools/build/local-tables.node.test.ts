import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const STATE = join(ROOT, '.wrangler/state/v3/d1')

test('the build of `wrangler dev` creates the tables of its database', () => {
  const { VITEST: _, NODE_ENV: __, ...env } = process.env
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/build/made.ts')], {
    env: { ...env, WRANGLER_COMMAND: 'dev' },
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  const files = readdirSync(STATE, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sqlite'))
    .map((file) => new DatabaseSync(join(STATE, file), { readOnly: true }))
  const tables = files.flatMap((file) => file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all())
  for (const file of files) file.close()
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['images', 'galleries', 'd1_migrations']))
})
