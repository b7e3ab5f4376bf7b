import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import * as schema from '../../src/storage/schema.ts'

test.each(Object.values(schema))('the migrations make the table as the queries see it: %#', async (table) => {
  const name = getTableName(table)
  const { results } = await env.DB.prepare('SELECT name, type, pk, "notnull" FROM pragma_table_info(?) ORDER BY cid')
    .bind(name)
    .all()
  const declared = Object.values(getTableColumns(table)).map((column) => ({
    name: column.name,
    type: column.getSQLType().toUpperCase(),
    pk: column.primary ? 1 : 0,
    notNull: column.notNull,
  }))
  // INSERT ... SELECT relies on the order too.
  expect(
    results.map(({ name, type, pk, notnull }) => ({ name, type, pk, notNull: notnull === 1 || pk === 1 })),
  ).toEqual(declared)
})
