/**
 * Self-clocked fair queueing: S. J. Golestani, "A self-clocked fair queueing scheme for broadband applications", INFOCOM 1994. Clients
 * are flows, and each job announces its cost. docs/architecture.md#fair-shares explains why it is used, with a drawing.
 *
 * - The *start tag* of a flow's next job is the finish tag of its last one, or virtual time if the flow was idle and that is later.
 * - Its *finish tag* is the start tag plus its cost. The job with the least finish tag starts next.
 * - *Virtual time* is the finish tag of the job that started last.
 *
 * While two flows are backlogged, the work that they got differs by at most the sum of their largest jobs. Virtual time advances with
 * every start, so every finish tag is reached: no job starves, also where new clients keep arriving.
 *
 * Several people may share an address, so the jobs of a flow are ordered by the same rule, each as a flow of its own. That changes
 * nothing for other flows.
 */

/** A job that waits or runs. */
export interface Job {
  flow: Flow
  /** The announced work. */
  cost: number
  /** Finish tag among the jobs of its own flow. */
  tag: number
  isRunning: boolean
  /** Time of the last poll. A job that stops polling was cancelled. */
  lastSeenMs: number
}

/** The jobs of one client. */
interface Flow {
  readonly key: string
  /** Start tag of its next job. */
  startTag: number
  /** Virtual time among its own jobs. */
  ownTime: number
  readonly waiting: Job[]
  running: number
}

/** When jobs that do not poll are taken for cancelled. */
export interface Lifetimes {
  waitingMs: number
  runningMs: number
}

/** A fair queue. It polls nothing and waits for nothing: its users poll it. */
export type FairQueue = ReturnType<typeof createFairQueue>

/** Idle flows ahead of virtual time that are remembered, at most. */
const MAX_IDLE_FLOWS = 1000

/** Creates a fair queue. Finding its head makes no objects, since each of many waiting jobs looks for it at each poll. */
export function createFairQueue(lifetimes: Lifetimes) {
  /** A flow is known while it has jobs, or has had more than its share of this busy period. */
  const flows = new Map<string, Flow>()
  /** The flows that have waiting jobs. */
  const backlogged: Flow[] = []
  const running: Job[] = []
  let virtualTime = 0

  function flowOf(key: string): Flow {
    const known = flows.get(key)
    if (known) return known
    const flow = { key, startTag: virtualTime, ownTime: 0, waiting: [], running: 0 }
    flows.set(key, flow)
    return flow
  }

  /** Returns the job of a flow that starts next. */
  function headOf(flow: Flow): Job | undefined {
    let head: Job | undefined
    for (let i = 0; i < flow.waiting.length; i++) {
      const job = flow.waiting[i]
      if (job && (!head || job.tag < head.tag)) head = job
    }
    return head
  }

  function enqueue(job: Job) {
    // Its flow may have been forgotten meanwhile.
    const flow = flowOf(job.flow.key)
    job.flow = flow
    if (flow.waiting.length === 0) {
      flow.startTag = Math.max(flow.startTag, virtualTime)
      backlogged.push(flow)
    }
    job.tag = flow.ownTime + job.cost
    flow.waiting.push(job)
  }

  function dequeue(job: Job): boolean {
    const { flow } = job
    const at = flow.waiting.indexOf(job)
    if (at < 0) return false
    flow.waiting.splice(at, 1)
    if (flow.waiting.length === 0) backlogged.splice(backlogged.indexOf(flow), 1)
    return true
  }

  function settle(flow: Flow) {
    if (backlogged.length === 0 && running.length === 0) {
      flows.clear()
      virtualTime = 0
      return
    }
    if (isIdle(flow) && flow.startTag <= virtualTime) flows.delete(flow.key)
    if (flows.size > backlogged.length + running.length + MAX_IDLE_FLOWS) {
      for (const other of flows.values()) if (isIdle(other)) flows.delete(other.key)
    }
  }

  function end(job: Job, actualCost: number) {
    const at = running.indexOf(job)
    if (at < 0) return
    running.splice(at, 1)
    job.isRunning = false
    job.flow.running--
    job.flow.startTag += actualCost - job.cost
    settle(job.flow)
  }

  return {
    /** Adds a waiting job. */
    add(client: string, cost: number, nowMs: number): Job {
      const job: Job = { flow: flowOf(client), cost, tag: 0, isRunning: false, lastSeenMs: nowMs }
      enqueue(job)
      return job
    },

    /** Notes that a job polls. A waiting one that was taken for cancelled waits again; so are all forgotten that were cancelled. */
    poll(job: Job, nowMs: number) {
      job.lastSeenMs = nowMs
      if (!job.isRunning && !job.flow.waiting.includes(job)) enqueue(job)
      this.forgetCancelled(nowMs)
    },

    /** Forgets jobs that do not poll any more. */
    forgetCancelled(nowMs: number) {
      for (let i = running.length - 1; i >= 0; i--) {
        const job = running[i]
        if (job && nowMs - job.lastSeenMs > lifetimes.runningMs) end(job, job.cost)
      }
      for (let i = backlogged.length - 1; i >= 0; i--) {
        const flow = backlogged[i]
        if (!flow) continue
        for (let j = flow.waiting.length - 1; j >= 0; j--) {
          const job = flow.waiting[j]
          if (job && nowMs - job.lastSeenMs > lifetimes.waitingMs) this.cancel(job)
        }
      }
    },

    /** Returns the job that starts next. */
    head(): Job | undefined {
      let first: Job | undefined
      let firstTag = 0
      for (let i = 0; i < backlogged.length; i++) {
        const flow = backlogged[i]
        const job = flow && headOf(flow)
        if (!job) continue
        const finishTag = flow.startTag + job.cost
        if (first && finishTag >= firstTag) continue
        first = job
        firstTag = finishTag
      }
      return first
    },

    /** Starts a waiting job, which need not be the head. */
    start(job: Job) {
      if (!dequeue(job)) return
      const { flow } = job
      flow.startTag += job.cost
      flow.ownTime = Math.max(flow.ownTime, job.tag)
      virtualTime = Math.max(virtualTime, flow.startTag)
      flow.running++
      job.isRunning = true
      running.push(job)
    },

    /** Ends a running job, and corrects its cost: its flow owes the rest, or gets it back. */
    end,

    /** Removes a waiting job: its flow owes nothing for it. */
    cancel(job: Job) {
      if (dequeue(job)) settle(job.flow)
    },

    /**
     * Returns the work after which a new job of this client would start: all of its own, and as much of each other flow, since they are
     * served in turns.
     */
    workBefore(client: string, cost: number): number {
      let own = cost
      for (const job of flows.get(client)?.waiting ?? []) own += job.cost
      const lead = Math.max(0, (flows.get(client)?.startTag ?? 0) - virtualTime)
      let work = own - cost
      for (const flow of backlogged) {
        if (flow.key === client) continue
        let others = 0
        for (const job of flow.waiting) others += job.cost
        work += Math.min(others, lead + own)
      }
      for (const job of running) work += job.cost
      return work
    },

    /** Returns how far a flow is ahead of virtual time: the work that it had beyond its share of this busy period. */
    leadOf: ({ flow }: Job) => Math.max(0, flow.startTag - virtualTime),

    /** Returns how many jobs wait. */
    waiting(): number {
      let count = 0
      for (let i = 0; i < backlogged.length; i++) count += backlogged[i]?.waiting.length ?? 0
      return count
    },

    /** Returns how many jobs run. */
    running: () => running.length,
  }
}

function isIdle(flow: Flow): boolean {
  return flow.waiting.length === 0 && flow.running === 0
}
