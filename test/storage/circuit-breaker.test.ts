import { expect, test } from 'vitest'
import { SHARD_BREAKER_MS } from '../../src/limits.ts'
import { createBreaker, createBreakers } from '../../src/storage/circuit-breaker.ts'

test('a failure opens it, and after a time a single probe decides', () => {
  let nowMs = 1_000_000
  const breaker = createBreaker(() => nowMs)
  expect([breaker.state(), breaker.admit(), breaker.admit()]).toEqual(['closed', true, true])
  breaker.fail()
  expect([breaker.state(), breaker.admit()]).toEqual(['open', false])
  nowMs += SHARD_BREAKER_MS - 1
  expect(breaker.admit()).toBe(false)
  nowMs += 1
  expect([breaker.state(), breaker.admit(), breaker.admit()]).toEqual(['half-open', true, false])
  nowMs += 1
  breaker.fail()
  nowMs += SHARD_BREAKER_MS - 1
  expect(breaker.admit()).toBe(false)
  nowMs += 1
  expect(breaker.admit()).toBe(true)
  breaker.succeed()
  expect([breaker.state(), breaker.admit(), breaker.admit()]).toEqual(['closed', true, true])
})

test('a probe that never ends is followed by another', () => {
  let nowMs = 0
  const breaker = createBreaker(() => nowMs)
  breaker.fail()
  nowMs += SHARD_BREAKER_MS
  expect(breaker.admit()).toBe(true)
  nowMs += SHARD_BREAKER_MS
  expect([breaker.admit(), breaker.admit()]).toEqual([true, false])
})

test('a clock that is set back does not leave it open', () => {
  let nowMs = 1_000_000
  const breaker = createBreaker(() => nowMs)
  breaker.fail()
  nowMs = 0
  expect(breaker.admit()).toBe(true)
})

test('each shard has its own', () => {
  const breakerOf = createBreakers(() => 0)
  breakerOf(1).fail()
  expect([0, 1, 2].map((shard) => breakerOf(shard).admit())).toEqual([true, false, true])
})
