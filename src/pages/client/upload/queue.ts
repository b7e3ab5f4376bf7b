/** Does one piece of work. It calls `begun` as soon as the next piece may begin, and never rejects. */
export type Work<Item> = (item: Item, begun: () => void) => Promise<void>

/** Work that is done a few pieces at a time. */
export interface Queue<Item> {
  /** Appends items. */
  add: (items: Iterable<Item>) => void
  /** Removes an item whose work has not begun; false if it has begun, or there is no such item. */
  withdraw: (item: Item) => boolean
  /** Removes and returns all items whose work has not begun. */
  clear: () => Item[]
}

/**
 * A queue that does `atATime` pieces of work at once, in order. Each begins only after the previous one called `begun`,
 * so that requests arrive in order. `onIdle` is called when all work is done.
 */
export function createQueue<Item>(atATime: number, work: Work<Item>, onIdle: () => void): Queue<Item> {
  let waiting: Item[] = []
  let running = 0
  let beginning = false

  function next(): void {
    if (beginning || running >= atATime) return
    const item = waiting.shift()
    if (item === undefined) return
    running++
    beginning = true
    let hasBegun = false
    const begun = () => {
      if (hasBegun) return
      hasBegun = true
      beginning = false
      next()
    }
    void work(item, begun).then(() => {
      running--
      begun()
      next()
      if (running === 0 && waiting.length === 0) onIdle()
    })
  }

  return {
    add(items) {
      waiting.push(...items)
      next()
    },
    withdraw(item) {
      const index = waiting.indexOf(item)
      if (index >= 0) waiting.splice(index, 1)
      return index >= 0
    },
    clear() {
      const cleared = waiting
      waiting = []
      return cleared
    },
  }
}
