import { CODEC_MAX_BYTES, IDLE_MAX_BYTES, outOfMemory, SHARING_CORE_MAX_BYTES } from './budget.ts'
import { type Core, refusalOfTrap } from './core.ts'
import { createRegistry } from './instances.ts'
import { createYielder, type YieldIfDue } from './yielder.ts'

/** Returns the compiled module; where it must be loaded first, a promise of it. */
export type LoadModule = () => WebAssembly.Module | Promise<WebAssembly.Module>

/** More cores for parts of an image, while a job runs on one. */
interface BorrowedCores {
  /** Another, whose memory is to be reset before it is used. */
  borrow(): Core
  /** Memory of the borrowed cores. */
  bytes(): number
}

/** The instances of the module, and what they may take together. */
export interface Cores {
  maxBytes: number
  /**
   * Runs one job on a core, whose memory is the job's alone until its promise settles; `mayBorrow` says that it may take more
   * cores. Throws ImageRefusal for a trap: over its memory's limit, or for damage that no check caught.
   */
  runOnCore<Result>(job: (core: Core) => Promise<Result> | Result, options?: { mayBorrow?: boolean }): Promise<Result>
  /** Runs one job on two cores, for two images at once. */
  runOnTwoCores<Result>(job: (cores: readonly [Core, Core]) => Promise<Result>): Promise<Result>
  /**
   * Runs the steps of a job that may use all memory, on its own core and borrowed ones (at least one if `isLikely`).
   * They are returned when it ends. Throws ImageRefusal if one traps.
   */
  withBorrowedCores(isLikely: boolean, steps: (cores: BorrowedCores) => Generator<void>): Generator<void>
  /** Makes a job on an image of this width yield to other requests. */
  createYielder(width: number): YieldIfDue
  /** Drops the instances of a job that will never end: its request was cancelled. */
  dropWorking(): void
  /** Drops the instances that wait for a job. */
  dropWaiting(): void
  /** The memory of all instances that live, and the most that it has been, in bytes. */
  memory(): { liveBytes: number; peakBytes: number }
}

const coreBytes = ({ memory }: Core) => memory.buffer.byteLength

/** Makes cores of a module. None takes more than `maxBytes`. */
export function createCores(load: LoadModule, maxBytes = CODEC_MAX_BYTES): Cores {
  const registry = createRegistry(maxBytes)
  const cores = registry.createInstances(IDLE_MAX_BYTES.core, coreBytes)
  const secondCores = registry.createInstances(IDLE_MAX_BYTES.secondCore, coreBytes)
  const borrowedCores = registry.createInstances(IDLE_MAX_BYTES.borrowedCore, coreBytes)
  let loaded: WebAssembly.Module | undefined

  async function requireModule(): Promise<void> {
    loaded ??= await load()
  }

  // A new one costs 0.1 ms.
  function instantiate(): Core {
    if (!loaded) throw new Error('the module is loaded before the first job')
    // The cast is of our own module's exports, not of input.
    const core = new WebAssembly.Instance(loaded).exports as unknown as Core
    core.limitMemory(maxBytes)
    return core
  }

  async function runOn<Result>(taken: readonly Core[], job: () => Promise<Result> | Result): Promise<Result> {
    for (const one of taken) one.reset()
    try {
      return await job()
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error
      throw refusalOfTrap(taken)
    }
  }

  return {
    maxBytes,

    async runOnCore(job, { mayBorrow = false } = {}) {
      await requireModule()
      const core = cores.take(mayBorrow ? SHARING_CORE_MAX_BYTES : undefined) ?? cores.lend(instantiate())
      try {
        return await runOn([core], () => job(core))
      } finally {
        cores.giveBack(core)
      }
    },

    async runOnTwoCores(job) {
      await requireModule()
      const first = cores.take(SHARING_CORE_MAX_BYTES) ?? cores.lend(instantiate())
      const second = secondCores.take() ?? secondCores.lend(instantiate())
      try {
        return await runOn([first, second], () => job([first, second]))
      } finally {
        cores.giveBack(first)
        secondCores.giveBack(second)
      }
    },

    *withBorrowedCores(isLikely, steps) {
      const borrowed: Core[] = []
      let spare = isLikely ? borrowedCores.take() : undefined
      registry.dropWaiting()
      const borrow = () => {
        const core = spare ?? borrowedCores.lend(instantiate())
        spare = undefined
        borrowed.push(core)
        return core
      }
      try {
        yield* steps({ borrow, bytes: () => borrowed.reduce((sum, core) => sum + coreBytes(core), 0) })
      } catch (error) {
        // Else it is the job's own core that trapped.
        if (error instanceof WebAssembly.RuntimeError && borrowed.some((core) => core.isFull())) throw outOfMemory()
        throw error
      } finally {
        for (const core of spare ? [spare, ...borrowed] : borrowed) borrowedCores.giveBack(core)
      }
    },

    createYielder: (width) => createYielder(width),
    dropWorking: registry.dropWorking,
    dropWaiting: registry.dropWaiting,
    memory: registry.memory,
  }
}
