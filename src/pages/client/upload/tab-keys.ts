/** A row of tabs, as the reader sees it. */
export interface TabRow {
  count: number
  rightToLeft: boolean
}

/** The index of the tab that a key leads to from one, round the ends; the same one where the key leads nowhere. */
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
