import { expect, test } from 'vitest'
import { seededRandom } from '../../../test/support/random.ts'
import { findColourProfile } from '../../src/colours/colour-profile.ts'
import { probe } from '../../src/probe.ts'
import { ImageRefusal } from '../../src/refusal.ts'
import { stripMetadata } from '../../src/strip.ts'
import { mutate } from '../mutations.ts'
import { listFixtures, readFixture } from './fixtures.ts'

const SEED = Number(process.env.TINTYPE_SEED ?? 20_260_101)
const ROUNDS = 500

/** Processes a file like every upload before decoding, and returns how far it came. */
async function read(bytes: Uint8Array): Promise<'foreign' | 'refused' | 'kept' | 'stripped'> {
  let done: 'refused' | 'kept' = 'refused'
  try {
    const facts = probe(bytes)
    if (!facts) return 'foreign'
    done = 'kept'
    await findColourProfile(bytes, facts)
    const stripped = stripMetadata(bytes, facts)
    expect(stripped.length).toBeLessThanOrEqual(bytes.length)
    return 'stripped'
  } catch (error) {
    if (!(error instanceof ImageRefusal)) throw error
    return done
  }
}

test.each(listFixtures('valid'))(`${ROUNDS} mutations of %s are read or refused (seed ${SEED})`, async (path) => {
  const original = readFixture('valid', path)
  const random = seededRandom(SEED)
  const outcomes: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const mutation = mutate(original, random)
    try {
      outcomes.push(await read(mutation))
    } catch (error) {
      throw new Error(`round ${round} of ${path}, seed ${SEED}: ${Buffer.from(mutation).toString('base64')}`, {
        cause: error,
      })
    }
  }
  // The mutations are neither too gentle nor too rough to say anything.
  expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeGreaterThan(10)
  expect(
    outcomes.filter((outcome) => outcome === (path.startsWith('gif/') ? 'kept' : 'stripped')).length,
  ).toBeGreaterThan(10)
})
