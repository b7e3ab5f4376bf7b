import { CODECS_MAX_BYTES } from './budget.ts'

/** Instances of a codec: one at most waits for its next job, all others are at work. */
export interface Instances<Instance> {
  /** The one that waits, for a job alone; undefined where there is none, or it takes more than `mostBytes`: that is dropped. */
  take(mostBytes?: number): Instance | undefined
  /** Counts a new one as at work, and gives it. */
  lend(instance: Instance): Instance
  /** Ends a job. An instance is not kept that is worn out, or has grown too large: memory of WebAssembly never shrinks. */
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
  const own = {
    bytes: () => [...atWork, ...(waiting ? [waiting] : [])].reduce((sum, instance) => sum + bytesOf(instance), 0),
    dropWaiting() {
      waiting = undefined
    },
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
    giveBack(instance, isFit = true) {
      peakBytes = Math.max(peakBytes, codecMemory().liveBytes)
      atWork.delete(instance)
      if (!isFit || bytesOf(instance) > maxBytes) return
      waiting ??= instance
      if (codecMemory().liveBytes <= CODECS_MAX_BYTES) return
      for (const codec of all) if (codec !== own) codec.dropWaiting()
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
