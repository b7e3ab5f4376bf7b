import fc from 'fast-check'

interface PropertyParameters {
  seed: number
  path: string
  endOnFailure: boolean
  numRuns: number
}

/**
 * Returns the parameters of a property test. `repeated` is TINTYPE_SEED: a seed, or `seed:path` of a counterexample, which repeats it
 * alone.
 */
export function parametersOf(repeated: string | undefined, seed: number, numRuns: number): PropertyParameters {
  const [seedText = String(seed), ...path] = repeated?.split(':') ?? []
  return { seed: Number(seedText), path: path.join(':'), endOnFailure: path.length > 0, numRuns }
}

/** Lengths of chunks, which are repeated until a body ends. At least one is not 0. */
export function chunkLengths(longest: number): fc.Arbitrary<number[]> {
  return fc
    .tuple(fc.integer({ min: 1, max: longest }), fc.array(fc.nat({ max: longest }), { maxLength: 8 }))
    .map(([first, others]) => [first, ...others])
}

/** Cuts bytes into chunks of these lengths, over and over. */
export function* chunksOf(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const length = lengths[index % lengths.length] ?? bytes.length
    yield bytes.slice(at, at + length)
    at += length
  }
}
