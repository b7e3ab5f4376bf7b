import { env } from 'cloudflare:workers'
import { runDatabaseCalls } from '../../src/storage/calls.ts'
import { openStore, type Store } from '../../src/storage/store.ts'

/** A statement as it was sent to D1. */
export interface SentStatement {
  query: string
  parameters: unknown[]
}

/** Returns the real store, and every statement that is sent through it from now on. */
export function recordingStore(): { store: Store; sent: SentStatement[] } {
  const sent: SentStatement[] = []
  const prepare = (query: string) => {
    const statement = env.DB.prepare(query)
    return new Proxy(statement, {
      get(_, name) {
        if (name !== 'bind') throw new Error(`statements are bound before they are sent, also by ${String(name)}`)
        return (...parameters: unknown[]) => {
          sent.push({ query, parameters })
          return statement.bind(...parameters)
        }
      },
    })
  }
  const database = new Proxy(env.DB, {
    get(target, name) {
      if (name === 'prepare') return prepare
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return { store: openStore({ ...env, DB: database }), sent }
}

/** Returns the number of rows that the queries of `read` read. It must write none, because they are sent again. */
export async function rowsReadBy(read: (store: Store) => Promise<unknown>): Promise<number> {
  const { store, sent } = recordingStore()
  await read(store)
  let rowsRead = 0
  for (const { query, parameters } of sent) {
    rowsRead += (
      await env.DB.prepare(query)
        .bind(...parameters)
        .all()
    ).meta.rows_read
  }
  return rowsRead
}

/**
 * Returns the numbers of rows that `work` reads and writes, including those of indexes, as D1 counts them. Queries for
 * a single value are not counted.
 */
export async function rowsTouchedBy(
  work: (store: Store) => Promise<unknown>,
): Promise<{ read: number; written: number }> {
  const touched = { read: 0, written: 0 }
  const database = runDatabaseCalls(env.DB, async (_name, call) => {
    const result = await call()
    for (const one of [result].flat()) {
      touched.read += rowsIn(one, 'rows_read')
      touched.written += rowsIn(one, 'rows_written')
    }
    return result
  })
  await work(openStore({ ...env, DB: database }))
  return touched
}

function rowsIn(result: unknown, field: string): number {
  const meta: unknown = typeof result === 'object' && result !== null && 'meta' in result ? result.meta : undefined
  return typeof meta === 'object' && meta !== null ? Number(Reflect.get(meta, field)) : 0
}
