/** Instances of one kind: one at most waits for its next job, all others are at work. */
interface Instances<Instance> {
  /** The one that waits, for a job alone; undefined where there is none, or it takes more than `mostBytes`: that is dropped. */
  take(mostBytes?: number): Instance | undefined
  /** Counts a new one as at work, and returns it. */
  lend(instance: Instance): Instance
  /**
   * Ends a job. An instance that has grown too large is dropped, because WebAssembly memory never shrinks.
   */
  giveBack(instance: Instance): void
}

/** The instances of a codec: of several kinds, that share its memory. */
interface Registry {
  /** Makes a place for instances of one kind, where one of at most so many bytes may wait. */
  createInstances<Instance>(maxBytes: number, bytesOf: (instance: Instance) => number): Instances<Instance>
  /** Drops all that are at work: for a job that will never end. */
  dropWorking(): void
  /** Drops all that wait: for a job that may take all of the memory and has taken what it uses. */
  dropWaiting(): void
  /** The memory of all instances that live, and the most that it has been, in bytes. */
  memory(): { liveBytes: number; peakBytes: number }
}

/** Makes a registry of instances that take so many bytes together at most. */
export function createRegistry(maxBytesOfAll: number): Registry {
  const all = new Set<{ bytes(): number; dropWaiting(): void; dropWorking(): void }>()
  let peakBytes = 0

  function memory() {
    let liveBytes = 0
    for (const kind of all) liveBytes += kind.bytes()
    return { liveBytes, peakBytes: Math.max(peakBytes, liveBytes) }
  }

  function createInstances<Instance>(maxBytes: number, bytesOf: (instance: Instance) => number): Instances<Instance> {
    const atWork = new Set<Instance>()
    let waiting: Instance | undefined
    const own = {
      bytes: () => [...atWork, ...(waiting ? [waiting] : [])].reduce((sum, instance) => sum + bytesOf(instance), 0),
      dropWaiting() {
        waiting = undefined
      },
      dropWorking: () => atWork.clear(),
    }
    all.add(own)
    return {
      take(mostBytes = maxBytes) {
        const taken = waiting
        waiting = undefined
        if (!taken || bytesOf(taken) > mostBytes) return undefined
        atWork.add(taken)
        return taken
      },
      lend(instance) {
        atWork.add(instance)
        return instance
      },
      giveBack(instance) {
        peakBytes = Math.max(peakBytes, memory().liveBytes)
        if (!atWork.delete(instance)) return
        if (bytesOf(instance) > maxBytes) return
        waiting ??= instance
        if (memory().liveBytes <= maxBytesOfAll) return
        for (const kind of all) if (kind !== own) kind.dropWaiting()
      },
    }
  }

  return {
    createInstances,
    dropWorking() {
      peakBytes = Math.max(peakBytes, memory().liveBytes)
      for (const kind of all) kind.dropWorking()
    },
    dropWaiting() {
      for (const kind of all) kind.dropWaiting()
    },
    memory,
  }
}
