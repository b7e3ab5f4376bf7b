/** The outcome of a job: it is over, or must be done again. */
export type Outcome = 'over' | 'again'

/** Does one job. It calls `begun` as soon as the next job may begin, and never rejects. */
export type Work<Item> = (item: Item, begun: () => void) => Promise<Outcome>

/** Jobs that run a few at a time. */
interface Queue<Item> {
  /** Appends items. */
  add: (items: Iterable<Item>) => void
  /** Removes an item whose work has not begun; false if it has begun, or there is no such item. */
  withdraw: (item: Item) => boolean
  /** Starts nothing until `resume` is called. Running work continues. */
  pause: () => void
  resume: () => void
  /** Removes all items whose work has not begun. */
  clear: () => void
}

/**
 * Creates a queue that runs `atATime` jobs at once, in order. Each begins only after the previous one called `begun`, so
 * that requests arrive in order. A job that must be done again keeps its number. `onIdle` is called when all jobs are over.
 */
export function createQueue<Item>(atATime: number, work: Work<Item>, onIdle: () => void): Queue<Item> {
  interface Job {
    item: Item
    number: number
  }
  let waiting: Job[] = []
  let count = 0
  let running = 0
  let beginning = false
  let paused = false

  function next(): void {
    if (paused || beginning || running >= atATime) return
    const job = waiting.shift()
    if (job === undefined) return
    running++
    beginning = true
    let hasBegun = false
    const begun = () => {
      if (hasBegun) return
      hasBegun = true
      beginning = false
      next()
    }
    void work(job.item, begun).then((outcome) => {
      running--
      if (outcome === 'again') waiting = [...waiting, job].toSorted((a, b) => a.number - b.number)
      begun()
      next()
      if (running === 0 && waiting.length === 0) onIdle()
    })
  }

  return {
    add(items) {
      for (const item of items) waiting.push({ item, number: count++ })
      next()
    },
    withdraw(item) {
      const index = waiting.findIndex((job) => job.item === item)
      if (index >= 0) waiting.splice(index, 1)
      return index >= 0
    },
    pause() {
      paused = true
    },
    resume() {
      paused = false
      // Each that begins lets the next one begin.
      next()
    },
    clear() {
      waiting = []
    },
  }
}
