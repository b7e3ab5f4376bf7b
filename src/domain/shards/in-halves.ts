/** Unfinished items of a list: those that failed alone, and those in a part that was not attempted. */
interface Undone<Item> {
  failed: { item: Item; error: unknown }[]
  untried: Item[]
}

/**
 * Processes a whole list at once. If that fails, the list is split in halves until only failing items are left. Larger
 * parts come first; at most `splits.left` parts are tried, and subtracted from it. Processing an item twice must be
 * safe.
 */
export async function workInHalves<Item>(
  items: readonly Item[],
  splits: { left: number },
  work: (part: readonly Item[]) => Promise<void>,
): Promise<Undone<Item>> {
  const undone: Undone<Item> = { failed: [], untried: [] }
  const parts = [items]
  for (let part = parts.shift(); part; part = parts.shift()) {
    const [item, ...others] = part
    if (item === undefined) continue
    if (part !== items && splits.left-- <= 0) {
      undone.untried.push(...part)
      continue
    }
    try {
      await work(part)
    } catch (error) {
      if (others.length === 0) undone.failed.push({ item, error })
      else parts.push(...halves(part))
    }
  }
  return undone
}

/** The list in two parts; the first is the larger one, if there is one. */
function halves<Item>(list: readonly Item[]): (readonly Item[])[] {
  const middle = Math.ceil(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)]
}
