// Commands that go through a service in batches: each response has the cursor of the next batch. The cursor can be stored in a file. A local service that does not run is started for the command.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fail } from '../install/installed.mjs'
import { codeOf, messageOf } from '../shared/command-line.ts'
import type { JsonObject } from '../shared/json.ts'
import {
  NoResponse,
  type OperatedService,
  readService,
  SERVICE_OPTIONS,
  type ServiceOptions,
  WRONG_USE,
} from './operated-service.ts'
import { startForNow } from './started-service.ts'

/** The options that say which service is meant, where to begin and when to stop. */
export const WALK_OPTIONS = {
  ...SERVICE_OPTIONS,
  limit: { type: 'string' },
  after: { type: 'string' },
  state: { type: 'string' },
} as const

/** The options as they were given. */
interface WalkOptions extends ServiceOptions {
  after?: string | undefined
  state?: string | undefined
}

/**
 * Returns the number of items after which to stop, infinite without `--limit`. `items` names them in the message. Wrong options end the
 * process.
 */
export function readLimit({ limit, after, state }: WalkOptions & { limit?: string | undefined }, items: string) {
  if (limit !== undefined && !/^[1-9][0-9]{0,11}$/.test(limit)) {
    fail(`--limit must be a number of ${items}: received "${limit}"`, WRONG_USE)
  }
  if (after !== undefined && state !== undefined) {
    fail('--after and --state both say where to continue: give one of them', WRONG_USE)
  }
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
}

/** The way through the batches of a service. */
export class Walk {
  /** The cursor of the next batch; null after the last one. */
  next: string | null
  readonly #options: WalkOptions
  #service: OperatedService
  #stopService: () => Promise<void> = async () => {}
  /** The number of items in the batches so far. */
  #seen = 0
  #hasEnded = false

  /** Begins at `first`, if the options name no other cursor. `format` writes a cursor for a command line. */
  constructor(options: WalkOptions, first: string, format: (cursor: string) => string) {
    this.#options = options
    this.#service = readService(options)
    this.next = options.after ?? this.#readState() ?? first
    // However this process ends, it prints the cursor to continue from.
    process.on('exit', () => {
      if (!this.#hasEnded && this.next !== null && this.#seen > 0) {
        console.error(`continue with --after ${format(this.next)}`)
      }
    })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1))
  }

  /**
   * Calls the service. A local service that is not running is started for as long as this process lives. A failure ends the process
   * with a message.
   */
  async ask(call: (service: OperatedService) => Promise<JsonObject>): Promise<JsonObject> {
    try {
      return await call(this.#service)
    } catch (error) {
      const { data } = this.#service
      if (!(error instanceof NoResponse) || data === undefined || this.#seen > 0) return fail(messageOf(error))
      console.error(`${messageOf(error)}: starting it for now`)
      const started = await startForNow(data, this.#options.port)
      this.#stopService = started.stop
      this.#service = { ...this.#service, origin: started.origin }
      return call(this.#service).catch((failure) => fail(messageOf(failure)))
    }
  }

  /** Advances to the next batch after one with this number of items. After the last, the file is deleted: the next run starts again. */
  advance(next: string | null, items: number): void {
    this.#seen += items
    this.next = next
    const { state } = this.#options
    if (state === undefined) return
    try {
      if (next === null) rmSync(state, { force: true })
      else writeFileSync(state, `${next}\n`)
    } catch (error) {
      fail(`--state: ${messageOf(error)}`)
    }
  }

  /** Stops a service that was started. The command has printed where to continue. */
  async end(): Promise<void> {
    this.#hasEnded = true
    await this.#stopService()
  }

  /** Returns the cursor that an earlier run has left in the file; undefined without one. */
  #readState(): string | undefined {
    const { state } = this.#options
    if (state === undefined) return undefined
    try {
      return readFileSync(state, 'utf8').trim() || undefined
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      return fail(`--state: ${messageOf(error)}`)
    }
  }
}
