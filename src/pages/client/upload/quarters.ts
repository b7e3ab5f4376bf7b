/** A test whether a share, from 0 to 1, is the first to reach another quarter: often enough to announce progress. */
export function createQuarters(): (share: number) => boolean {
  let reached = 0
  return (share) => {
    const quarter = Math.floor(share * 4)
    if (quarter <= reached || quarter >= 4) return false
    reached = quarter
    return true
  }
}
