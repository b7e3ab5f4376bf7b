import type { FileStore } from './files/store.ts'

/**
 * Runs one call, named `D1.run` or `files.create`: it may limit its time, repeat it or, in tests, hold it or make it fail. Every call
 * of the service to its databases and its files goes through one. `queries` has the SQL of its statements.
 */
export type CallRunner = <Result>(
  name: string,
  call: () => Promise<Result>,
  queries?: readonly string[],
) => Promise<Result>

/** Wraps each call of a database, and of its sessions, with `run`. Drizzle uses no other calls. */
export function runDatabaseCalls(database: D1Database, run: CallRunner): D1Database {
  return runCalls(database, run)
}

function runCalls<Database extends D1Database | D1DatabaseSession>(database: Database, run: CallRunner): Database {
  const originals = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; query: string }>()
  const runStatement = (statement: D1PreparedStatement, query: string): D1PreparedStatement => {
    const running = new Proxy(statement, {
      get: (target, name) =>
        name === 'bind'
          ? (...values: unknown[]) => runStatement(target.bind(...values), query)
          : runMethod(target, name, 'D1', run, [query]),
    })
    originals.set(running, { statement, query })
    return running
  }
  return new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') return (query: string) => runStatement(target.prepare(query), query)
      if (name === 'withSession' && 'withSession' in target) {
        return (constraint?: string) => runCalls(target.withSession(constraint), run)
      }
      if (name !== 'batch') return runMethod(target, name, 'D1', run)
      // D1 accepts only statements that it prepared itself.
      return (statements: D1PreparedStatement[]) =>
        run(
          'D1.batch',
          () => target.batch(statements.map((statement) => originals.get(statement)?.statement ?? statement)),
          statements.map((statement) => originals.get(statement)?.query ?? ''),
        )
    },
  })
}

/**
 * A session on the nearest copy of the database, the primary or a replica. Its reads are sequentially consistent, but may lag.
 * https://developers.cloudflare.com/d1/best-practices/read-replication/
 */
export function sessionOf(database: D1Database): D1Database {
  const session = database.withSession('first-unconstrained')
  return new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') return (query: string) => session.prepare(query)
      if (name === 'batch') return (statements: D1PreparedStatement[]) => session.batch(statements)
      return Reflect.get(target, name)
    },
  })
}

/** Wraps each call of a bucket with `run`, except reading a body. */
export function runFileCalls(files: FileStore, run: CallRunner): FileStore {
  return {
    create: (key, bytes, info) => run('files.create', () => files.create(key, bytes, info)),
    read: (key, range) => run('files.read', () => files.read(key, range)),
    head: (key) => run('files.head', () => files.head(key)),
    delete: (keys) => run('files.delete', () => files.delete(keys)),
    list: (options) => run('files.list', () => files.list(options)),
  }
}

const READ = /^\s*(?:SELECT|WITH(?![\s\S]*\b(?:INSERT|UPDATE|DELETE)\b))/i
const FILE_WRITES = ['files.create', 'files.delete']

/** Whether a call changes something: a statement that is no SELECT, or a file that is stored or deleted. */
export function isWrite(name: string, queries: readonly string[] = []): boolean {
  return FILE_WRITES.includes(name) || queries.some((query) => !READ.test(query))
}

function runMethod(
  target: object,
  name: string | symbol,
  binding: string,
  run: CallRunner,
  queries: readonly string[] = [],
): unknown {
  const member: unknown = Reflect.get(target, name)
  if (typeof member !== 'function') return member
  return (...args: unknown[]) =>
    run(`${binding}.${String(name)}`, async () => Reflect.apply(member, target, args), queries)
}
