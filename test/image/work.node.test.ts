import { type ProbedImage, probe } from 'tintype-codec/interface'
import { expect, test } from 'vitest'
import { workOf } from '../../src/image/work.ts'
import { listCorpus } from '../support/corpus.ts'

const CORPUS = listCorpus()

/** Facts of a file of the corpus. */
function factsOf(name: string): ProbedImage['facts'] {
  const file = CORPUS.find(({ path }) => path.endsWith(name)) ?? expect.fail(`${name} is not in the corpus`)
  return probe(file.read()) ?? expect.fail(`${name} is not recognized`)
}

test.skipIf(CORPUS.length === 0)('an AVIF costs more with more bits or chroma samples', () => {
  const costs = [
    'fox.profile2.12bpc.yuv420.monochrome.avif',
    'fox.profile0.8bpc.yuv420.avif',
    'fox.profile0.10bpc.yuv420.avif',
    'fox.profile1.8bpc.yuv444.avif',
    'fox.profile2.12bpc.yuv444.avif',
  ].map((name) => workOf('thumbnail', { facts: factsOf(name) }))
  expect(costs).toEqual(costs.toSorted((a, b) => a - b))
  expect(new Set(costs).size).toBe(costs.length)
})
