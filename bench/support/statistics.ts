// Statistics of measurements.

/** Returns the value below which a share of the numbers are, 0 to 1: the nearest one that was measured. */
export function quantile(numbers: readonly number[], share: number) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(share * (numbers.length - 1))] ?? Number.NaN
}

/** Returns the median; of an even number, the upper of the two. */
export function median(numbers: readonly number[]) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN
}
