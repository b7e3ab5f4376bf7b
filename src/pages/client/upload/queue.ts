/** Does one piece of work. It calls `begun` as soon as the next piece may begin, and never rejects. */
export type Work<Item> = (item: Item, begun: () => void) => Promise<void>

/** Work that is done a few pieces at a time. */
export interface Queue<Item> {
  /** Puts items at the end. */
  add: (items: Iterable<Item>) => void
  /** Takes out an item whose work has not begun; false when it has, or when it is not there. */
  withdraw: (item: Item) => boolean
  /** Takes out and gives all items whose work has not begun. */
  clear: () => Item[]
}

/**
 * A queue that does `atATime` pieces of work at once, in order: the next begins only when the one before it has begun, so
 * that what begins in order also arrives in order. `onIdle` hears when all is done.
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
