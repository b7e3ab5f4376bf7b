import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parametersOf } from '../../../test/support/property.ts'
import { type Arena, newInstance } from '../instance.ts'

interface Memory extends Arena {
  checkpoint(): number
  release(end: number): void
  releaseBetween(start: number, end: number): void
}

/** Bytes of an allocation. */
type Block = { at: number; bytes: number }

const RUNS = 300
const arena = newInstance<Memory>()
const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 12 })

function allocateAll(bytes: readonly number[]): Block[] {
  return bytes.map((size) => ({ at: arena.allocate(size), bytes: size }))
}

function overlap(one: Block, other: Block): boolean {
  return one.at < other.at + other.bytes && other.at < one.at + one.bytes
}

test('memory that was freed between two checkpoints is used again, and nothing that is in use', () => {
  const several = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 2, maxLength: 12 })
  const property = fc.property(sizes, sizes, several, sizes, sizes, (before, freed, between, later, again) => {
    arena.reset()
    const held = allocateAll(before)
    const start = arena.checkpoint()
    const free = allocateAll(freed)
    const end = arena.checkpoint()
    held.push(...allocateAll(between.slice(1)))
    const beforeEncoder = arena.checkpoint()
    const encoder = allocateAll(between.slice(0, 1))
    arena.releaseBetween(start, end)
    // The first round has the encoder's memory beside it, the second gets that, too.
    for (const [round, wanted] of [later, again].entries()) {
      const inner = arena.checkpoint()
      allocateAll(wanted)
      arena.release(inner)
      const blocks = allocateAll(wanted)
      const inUse = [...held, ...(round === 0 ? encoder : []), ...blocks]
      for (const [i, block] of inUse.entries())
        expect(inUse.slice(0, i).filter((other) => overlap(block, other))).toEqual([])
      if ((wanted[0] ?? 0) <= end - start) expect(blocks[0]?.at).toBe(free[0]?.at)
      arena.release(beforeEncoder)
    }
  })
  fc.assert(property, parametersOf(process.env.TINTYPE_SEED, 20_261_128, RUNS))
})

test('a run at the top is freed as by release', () => {
  arena.reset()
  const start = arena.checkpoint()
  arena.allocate(1000)
  arena.releaseBetween(start, arena.checkpoint())
  expect([arena.checkpoint(), arena.allocate(5000)]).toEqual([start, start])
})
