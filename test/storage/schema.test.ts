import { env } from 'cloudflare:workers'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import * as schema from '../../src/storage/schema.ts'

test.each(Object.values(schema))('the migrations make the table that the queries expect: %#', async (table) => {
  const name = getTableName(table)
  const { results } = await env.DB.prepare('SELECT name, type, pk, "notnull" FROM pragma_table_info(?) ORDER BY cid')
    .bind(name)
    .all()
  const keyColumns = getTableConfig(table).primaryKeys.flatMap(({ columns }) => columns.map((column) => column.name))
  const declared = Object.values(getTableColumns(table)).map((column) => ({
    name: column.name,
    type: column.getSQLType().toUpperCase(),
    inKey: column.primary || keyColumns.includes(column.name),
    notNull: column.notNull,
  }))
  // INSERT ... SELECT relies on the order too.
  expect(
    results.map(({ name, type, pk, notnull }) => ({ name, type, inKey: pk !== 0, notNull: notnull === 1 || pk !== 0 })),
  ).toEqual(declared)
})
