/** Tells of each share, from 0 to 1, whether it is the first at or beyond another quarter: often enough to be told of progress. */
export function createQuarters(): (share: number) => boolean {
  let reached = 0
  return (share) => {
    const quarter = Math.floor(share * 4)
    if (quarter <= reached || quarter >= 4) return false
    reached = quarter
    return true
  }
}
