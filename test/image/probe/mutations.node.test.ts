import { expect, test } from 'vitest'
import { concat } from '../../../src/image/bytes.ts'
import { findColourProfile } from '../../../src/image/colour-profile.ts'
import { probe } from '../../../src/image/probe.ts'
import { ImageRefusal } from '../../../src/image/refusal.ts'
import { stripMetadata } from '../../../src/image/strip.ts'
import { listFixtures, readFixture } from './fixtures.ts'

const SEED = Number(process.env.SEED ?? 20_260_101)
const ROUNDS = 1000

/** Numbers from 0 to 2^32 - 1, the same ones for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** One to eight changes: a byte, a number that counts or measures, a piece left out or doubled, the end cut off. */
function mutate(original: Uint8Array, random: () => number): Uint8Array {
  let bytes: Uint8Array = original.slice()
  for (let changes = 1 + (random() % 8); changes > 0; changes--) {
    const at = random() % (bytes.length + 1)
    const length = random() % 32
    switch (random() % 6) {
      case 0:
        bytes[at] = random()
        break
      case 1:
        bytes.fill([0, 1, 0x7f, 0x80, 0xff][random() % 5] ?? 0, at, at + (random() % 5))
        break
      case 2:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << (random() % 8))
        break
      case 3:
        bytes = concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        break
      case 4:
        bytes = concat([bytes.subarray(0, at), bytes.subarray(at - (at % 32)), bytes.subarray(at)])
        break
      default:
        if (random() % 4 === 0) bytes = bytes.subarray(0, at)
    }
  }
  return bytes
}

/** What is done to every upload before a codec sees it; how far it came. */
function read(bytes: Uint8Array): 'foreign' | 'refused' | 'kept' | 'stripped' {
  let done: 'refused' | 'kept' = 'refused'
  try {
    const facts = probe(bytes)
    if (!facts) return 'foreign'
    done = 'kept'
    findColourProfile(bytes, facts)
    const stripped = stripMetadata(bytes, facts)
    expect(stripped.length).toBeLessThanOrEqual(bytes.length)
    return 'stripped'
  } catch (error) {
    if (!(error instanceof ImageRefusal)) throw error
    return done
  }
}

test.each(listFixtures('valid'))(`${ROUNDS} mutations of %s are read or refused (seed ${SEED})`, (path) => {
  const original = readFixture('valid', path)
  const random = randomNumbers(SEED)
  const outcomes = Array.from({ length: ROUNDS }, (_, round) => {
    const mutation = mutate(original, random)
    try {
      return read(mutation)
    } catch (error) {
      throw new Error(`round ${round} of ${path}, seed ${SEED}: ${Buffer.from(mutation).toString('base64')}`, {
        cause: error,
      })
    }
  })
  // The mutations are neither too gentle nor too rough to say anything.
  expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeGreaterThan(10)
  expect(
    outcomes.filter((outcome) => outcome === (path.startsWith('gif/') ? 'kept' : 'stripped')).length,
  ).toBeGreaterThan(10)
})
