/** A row of tabs. */
interface TabRow {
  count: number
  rightToLeft: boolean
}

/** The index of the tab that a key selects, wrapping around at the ends; the current one if the key selects none. */
export function tabAfter(key: string, index: number, { count, rightToLeft }: TabRow): number {
  switch (key) {
    case 'Home':
      return 0
    case 'End':
      return count - 1
    case rightToLeft ? 'ArrowLeft' : 'ArrowRight':
      return (index + 1) % count
    case rightToLeft ? 'ArrowRight' : 'ArrowLeft':
      return (index - 1 + count) % count
    default:
      return index
  }
}
