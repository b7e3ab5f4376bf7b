import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Sieve } from '../../src/storage/sieve.ts'
import { parametersOf } from '../support/property.ts'

const PARAMETERS = parametersOf(env.TEST_SETTINGS.TINTYPE_SEED, 20261124, 50)

/** SIEVE as in its paper, with entries of one byte in an array, the newest first. */
class Model {
  readonly #size: number
  #entries: { key: string; visited: boolean }[] = []
  #hand: string | undefined

  constructor(size: number) {
    this.#size = size
  }

  get keys() {
    return this.#entries.map(({ key }) => key).toSorted()
  }

  get(key: string): void {
    const entry = this.#entries.find((other) => other.key === key)
    if (entry) entry.visited = true
  }

  set(key: string): void {
    this.delete(key)
    if (this.#entries.length === this.#size) this.#evict()
    this.#entries.unshift({ key, visited: false })
  }

  delete(key: string): void {
    const at = this.#entries.findIndex((entry) => entry.key === key)
    if (at === -1) return
    if (this.#hand === key) this.#hand = this.#entries[at - 1]?.key
    this.#entries.splice(at, 1)
  }

  #evict(): void {
    let at = this.#entries.findIndex(({ key }) => key === this.#hand)
    if (at === -1) at = this.#entries.length - 1
    for (let entry = this.#entries[at]; entry?.visited; entry = this.#entries[at]) {
      entry.visited = false
      at = at === 0 ? this.#entries.length - 1 : at - 1
    }
    this.#hand = this.#entries[at - 1]?.key
    this.#entries.splice(at, 1)
  }
}

type Command = fc.Command<Model, Sieve<string>>

/** A command for one of 16 keys, after which the sieve has what the model has. */
function commandOf(
  name: string,
  act: (key: string, model: Model, sieve: Sieve<string>) => void,
): fc.Arbitrary<Command> {
  return fc.nat({ max: 15 }).map((key) => ({
    check: () => true,
    run(model, sieve) {
      act(String(key), model, sieve)
      expect([sieve.size, sieve.bytes]).toEqual([model.keys.length, model.keys.length])
    },
    toString: () => `${name} ${key}`,
  }))
}

const get = commandOf('get', (key, model, sieve) => {
  expect(sieve.get(key)).toBe(model.keys.includes(key) ? key : undefined)
  model.get(key)
})
const set = commandOf('set', (key, model, sieve) => {
  sieve.set(key, key, 1)
  model.set(key)
})
const remove = commandOf('delete', (key, model, sieve) => {
  sieve.delete(key)
  model.delete(key)
})

test(`it evicts what SIEVE evicts (seed ${PARAMETERS.seed})`, () => {
  const property = fc.property(
    fc.commands([get, get, set, set, remove], { maxCommands: 200, size: 'max' }),
    (commands) => {
      const evicted: string[] = []
      const model = new Model(8)
      const sieve = new Sieve<string>(8, (key) => evicted.push(key))
      fc.modelRun(() => ({ model, real: sieve }), commands)
      const [stored, left] = [evicted.length, model.keys.length]
      sieve.clear()
      expect([sieve.size, sieve.bytes, evicted.length - stored]).toEqual([0, 0, left])
    },
  )
  fc.assert(property, { ...PARAMETERS, numRuns: 100 })
})

test(`its bytes are bounded for all sizes, and too large entries are not stored (seed ${PARAMETERS.seed})`, () => {
  const step = fc.record({ key: fc.nat({ max: 49 }), bytes: fc.integer({ min: 1, max: 400 }), isRead: fc.boolean() })
  const property = fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
    const sieve = new Sieve<number>(1000)
    for (const { key, bytes, isRead } of steps) {
      sieve.set(String(key), bytes, bytes)
      if (isRead) sieve.get(String((key + bytes) % 50))
      expect(sieve.get(String(key))).toBe(bytes)
      expect(sieve.bytes).toBeLessThanOrEqual(1000)
    }
  })
  fc.assert(property, PARAMETERS)
  const sieve = new Sieve<number>(1000)
  for (const key of ['a', 'b', 'c']) sieve.set(key, 300, 300)
  sieve.set('large', 1001, 1001)
  expect(sieve.get('large')).toBeUndefined()
  expect(sieve.size).toBe(3)
})
