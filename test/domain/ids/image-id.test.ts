import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  arrivalTimeMs,
  createSequence,
  directoryOf,
  imageIdAt,
  shardOfImage,
} from '../../../src/domain/ids/image-id.ts'
import { SHARDS_MAX } from '../../../src/limits.ts'
import { below, seededRandom } from '../../support/random.ts'

const NOW_MS = Date.UTC(2026, 10, 20, 12, 34, 56, 789)
const EPOCH_MS = Date.UTC(2026, 0, 1)
/** The last moment at which ids of shard 0 are below 2^52. */
const END_MS = EPOCH_MS + 2 ** 40 - 1
const SHARDS = Array.from({ length: SHARDS_MAX }, (_, shard) => shard)

test('sequence numbers of one source only grow, also within a millisecond', () => {
  const next = createSequence()
  const sequenceNumbers = Array.from({ length: 10_000 }, () => next(NOW_MS))
  expect(sequenceNumbers).toEqual([...sequenceNumbers].sort((a, b) => a - b))
  expect(new Set(sequenceNumbers).size).toBe(sequenceNumbers.length)
})

test('sequence numbers grow when the clock steps back a little, and follow a clock that was set back', () => {
  const next = createSequence()
  const first = next(NOW_MS)
  expect(next(NOW_MS - 1000)).toBeGreaterThan(first)
  expect(next(NOW_MS - 86_400_000)).toBeLessThan(first)
})

test('the random bits come from a cryptographic source', () => {
  const guessable = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  onTestFinished(() => guessable.mockRestore())
  // The probability that a hundred ids share one of 4096 values is 10^-357.
  const begins = Array.from({ length: 100 }, () => imageIdAt(createSequence()(NOW_MS), 0) % 4096)
  expect(new Set(begins).size).toBeGreaterThan(1)
})

test('an id of shard 0 contains its moment and its directory, the hour', () => {
  const id = imageIdAt(createSequence(() => 127)(NOW_MS), 0)
  expect(arrivalTimeMs(id)).toBe(NOW_MS)
  expect(directoryOf(id)).toBe(Math.floor((NOW_MS - EPOCH_MS) / 3_600_000))
})

test.each([EPOCH_MS, Date.UTC(2020, 0, 1), END_MS])('ids of every shard at %i are safe integers', (nowMs) => {
  for (const shard of SHARDS) {
    const id = imageIdAt(createSequence(() => 127)(nowMs), shard)
    expect(Number.isSafeInteger(id)).toBe(true)
    expect(id).toBeGreaterThanOrEqual(0)
  }
})

describe('at any time of arrival, on any shard (seed 20261122)', () => {
  const random = seededRandom(20261122)
  const moments = [
    EPOCH_MS,
    NOW_MS,
    END_MS,
    ...Array.from({ length: 300 }, () => EPOCH_MS + below(2 ** 31, random) * 512),
  ]

  test('the id contains the shard and the moment', () => {
    for (const shard of SHARDS) {
      for (const nowMs of moments) {
        const id = imageIdAt(createSequence()(nowMs), shard)
        expect([shardOfImage(id), arrivalTimeMs(id)], `${nowMs} on ${shard}`).toEqual([shard, nowMs])
      }
    }
  })

  test('every id from before shards belongs to shard 0, in its old directory', () => {
    for (const nowMs of moments) {
      const id = (nowMs - EPOCH_MS) * 4096 + below(4096, random)
      expect([shardOfImage(id), arrivalTimeMs(id), directoryOf(id)]).toEqual([
        0,
        nowMs,
        Math.floor((nowMs - EPOCH_MS) / 3_600_000),
      ])
    }
  })

  test('ids of one shard are in the order of arrival, and ids of any shards are distinct', () => {
    const next = createSequence()
    const sequenceNumbers = Array.from({ length: 200 }, (_, at) => next(NOW_MS + Math.floor(at / 100)))
    const ids = SHARDS.map((shard) => sequenceNumbers.map((sequenceNumber) => imageIdAt(sequenceNumber, shard)))
    for (const ofShard of ids) expect(ofShard).toEqual([...ofShard].sort((a, b) => a - b))
    expect(new Set(ids.flat()).size).toBe(SHARDS.length * sequenceNumbers.length)
  })

  test('no directory holds images of two shards', () => {
    const owners = new Map<number, number>()
    for (const shard of SHARDS) {
      for (const nowMs of moments) {
        const directory = directoryOf(imageIdAt(createSequence()(nowMs), shard))
        expect(owners.get(directory) ?? shard, `directory ${directory}`).toBe(shard)
        owners.set(directory, shard)
      }
    }
  })
})
