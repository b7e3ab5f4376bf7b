import { expect, test } from 'vitest'
import { Sieve } from '../../src/storage/sieve.ts'
import { below, seededRandom } from '../support/random.ts'

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

test('it evicts what SIEVE evicts (seed 1)', () => {
  const random = seededRandom(1)
  const evicted: string[] = []
  const sieve = new Sieve<string>(8, (key) => evicted.push(key))
  const model = new Model(8)
  for (let step = 0; step < 20_000; step++) {
    const key = String(below(16, random))
    const what = random()
    if (what < 0.5) {
      expect(sieve.get(key)).toBe(model.keys.includes(key) ? key : undefined)
      model.get(key)
    } else if (what < 0.95) {
      sieve.set(key, key, 1)
      model.set(key)
    } else {
      sieve.delete(key)
      model.delete(key)
    }
    const found = Array.from({ length: 16 }, (_, n) => String(n)).filter((other) => model.keys.includes(other))
    expect([sieve.size, sieve.bytes]).toEqual([found.length, found.length])
  }
  const stored = evicted.length
  sieve.clear()
  expect([sieve.size, sieve.bytes, evicted.length - stored]).toEqual([0, 0, model.keys.length])
})

test('its bytes are bounded for all sizes, and too large entries are not stored', () => {
  const random = seededRandom(2)
  const sieve = new Sieve<number>(1000)
  for (let step = 0; step < 5000; step++) {
    const bytes = 1 + below(400, random)
    sieve.set(String(below(50, random)), bytes, bytes)
    if (random() < 0.5) sieve.get(String(below(50, random)))
    expect(sieve.bytes).toBeLessThanOrEqual(1000)
  }
  sieve.set('large', 1001, 1001)
  expect(sieve.get('large')).toBeUndefined()
  expect(sieve.size).toBeGreaterThan(2)
})
