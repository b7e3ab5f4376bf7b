/** What could not be done of a list: the items that failed alone, and those that were in a part that was not tried any more. */
export interface Undone<Item> {
  failed: { item: Item; error: unknown }[]
  untried: Item[]
}

/**
 * Does the work for a whole list at once. Where that fails, the list is cut in halves, until what fails stands alone and all
 * the rest is done. Larger parts come first; at most `splits.left` parts are tried, and taken off it. The work must be
 * safe to repeat for an item.
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
export function halves<Item>(list: readonly Item[]): (readonly Item[])[] {
  const middle = Math.ceil(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)]
}
