import { type SQL, sql } from 'drizzle-orm'

/** SQL: these values for an `IN`, as one parameter however many they are: D1 allows 100 in a statement. */
export function listOf(values: readonly (number | string)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`
}
