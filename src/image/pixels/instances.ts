/** Instances of a codec: one at most waits for its next job, all others are at work. */
export interface Instances<Instance> {
  /** The one that waits, for a job alone; undefined where there is none. */
  take(): Instance | undefined
  /** Counts a new one as at work, and gives it. */
  lend(instance: Instance): Instance
  /** Ends a job. An instance is not kept that is worn out, or has grown large: memory of WebAssembly never shrinks. */
  giveBack(instance: Instance, isFit?: boolean): void
}

/** Those of all codecs in the isolate. */
const all = new Set<{ bytes(): number; dropWaiting(): void }>()
let peakBytes = 0

/** Makes a place for the instances of one codec, where one of at most so many bytes may wait. */
export function createInstances<Instance>(
  maxBytes: number,
  bytesOf: (instance: Instance) => number,
): Instances<Instance> {
  const atWork = new Set<Instance>()
  let waiting: Instance | undefined
  all.add({
    bytes: () => [...atWork, ...(waiting ? [waiting] : [])].reduce((sum, instance) => sum + bytesOf(instance), 0),
    dropWaiting() {
      waiting = undefined
    },
  })
  return {
    take() {
      const taken = waiting
      waiting = undefined
      if (taken) atWork.add(taken)
      return taken
    },
    lend(instance) {
      atWork.add(instance)
      return instance
    },
    giveBack(instance, isFit = true) {
      peakBytes = Math.max(peakBytes, codecMemory().liveBytes)
      atWork.delete(instance)
      if (isFit && bytesOf(instance) <= maxBytes) waiting ??= instance
    },
  }
}

/** Drops all that wait: for a job that may take all of the codecs' memory and has taken what it uses. */
export function dropWaiting(): void {
  for (const codec of all) codec.dropWaiting()
}

/** The memory of all codecs that live in this isolate, and the most that it has been, in bytes. */
export function codecMemory(): { liveBytes: number; peakBytes: number } {
  let liveBytes = 0
  for (const codec of all) liveBytes += codec.bytes()
  return { liveBytes, peakBytes: Math.max(peakBytes, liveBytes) }
}
