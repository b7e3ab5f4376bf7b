/**
 * Fair queueing by virtual time. Clients are flows, and each job announces its cost. docs/architecture.md#fair-shares has a drawing.
 *
 * - The *start tag* of a job is the finish tag of its flow's last job, or virtual time at its arrival if that is later.
 * - Its *finish tag* is the start tag plus its cost. The job with the least finish tag starts next; of equal ones, the first to arrive.
 * - When a job ends, its flow is charged what it really cost.
 *
 * The algorithms of this family differ by their virtual time:
 *
 * - *Self-clocked fair queueing* (S. J. Golestani, INFOCOM 1994): the finish tag of the job that started last. While two flows are
 *   backlogged, the work that they got differs by at most the sum of their largest jobs.
 * - *Virtual clock* (L. Zhang, SIGCOMM 1990): real time. Costs are times, and a flow that costs a second each second is never delayed by
 *   others for longer than its own cost. No job is passed by one that arrives later than that, from however many addresses.
 *
 * Virtual time advances in both, so every finish tag is reached: no job starves, also where new clients keep arriving.
 *
 * Several people may share an address, so the jobs of a flow are ordered by the same rule, each as a flow of its own. That changes
 * nothing for other flows.
 */

/** A job that waits or runs. */
export interface Job {
  flow: Flow
  /** The announced work. */
  cost: number
  /** Virtual time at its arrival. */
  arrival: number
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
  /** Announced cost of its running jobs. */
  runningCost: number
}

/** Settings of a fair queue. */
interface FairQueueRule {
  /** Jobs that do not poll for so long are taken for cancelled. */
  waitingMs: number
  runningMs: number
  virtualTime: 'self-clocked' | 'real'
  /** A flow is never further ahead of virtual time when its job ends. */
  maxLead?: number
}

/** A fair queue. It polls nothing and waits for nothing: its users poll it. */
export type FairQueue = ReturnType<typeof createFairQueue>

/** Idle flows ahead of virtual time that are remembered, at most. */
const MAX_IDLE_FLOWS = 1000

/** Creates a fair queue. Finding its head makes no objects, since each of many waiting jobs looks for it at each poll. */
export function createFairQueue(rule: FairQueueRule) {
  const { maxLead = Number.POSITIVE_INFINITY } = rule
  const isSelfClocked = rule.virtualTime === 'self-clocked'
  /** A flow is known while it has jobs, or is ahead of virtual time. */
  const flows = new Map<string, Flow>()
  /** The flows that have waiting jobs. */
  const backlogged: Flow[] = []
  const running: Job[] = []
  let virtualTime = 0

  function flowOf(key: string): Flow {
    const known = flows.get(key)
    if (known) return known
    const flow = { key, startTag: virtualTime, ownTime: 0, waiting: [], running: 0, runningCost: 0 }
    flows.set(key, flow)
    return flow
  }

  function advance(nowMs: number) {
    if (!isSelfClocked) virtualTime = Math.max(virtualTime, nowMs)
  }

  /** Returns virtual time among the jobs of a flow. */
  function ownTimeOf(flow: Flow): number {
    return isSelfClocked ? flow.ownTime : virtualTime
  }

  /** Returns the finish tag of a waiting job that is the next of its flow. */
  function finishTagOf(job: Job): number {
    return Math.max(job.flow.startTag, job.arrival) + job.cost
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
    // The flow may have been removed meanwhile.
    const flow = flowOf(job.flow.key)
    job.flow = flow
    if (flow.waiting.length === 0) backlogged.push(flow)
    job.arrival = virtualTime
    job.tag = ownTimeOf(flow) + job.cost
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
    if (isSelfClocked && backlogged.length === 0 && running.length === 0) {
      flows.clear()
      virtualTime = 0
      return
    }
    if (isIdle(flow) && flow.startTag <= virtualTime) flows.delete(flow.key)
    let excess = flows.size - backlogged.length - running.length - MAX_IDLE_FLOWS
    if (excess <= 0) return
    for (const other of flows.values()) if (isIdle(other) && other.startTag <= virtualTime) flows.delete(other.key)
    excess = flows.size - backlogged.length - running.length - MAX_IDLE_FLOWS
    for (const other of flows.values()) if (excess > 0 && isIdle(other) && flows.delete(other.key)) excess--
  }

  function end(job: Job, actualCost: number) {
    const at = running.indexOf(job)
    if (at < 0) return
    running.splice(at, 1)
    job.isRunning = false
    const { flow } = job
    flow.running--
    flow.runningCost -= job.cost
    flow.startTag = Math.min(flow.startTag + actualCost - job.cost, virtualTime + maxLead + flow.runningCost)
    settle(flow)
  }

  return {
    /** Adds a waiting job. */
    add(client: string, cost: number, nowMs: number): Job {
      advance(nowMs)
      const job: Job = { flow: flowOf(client), cost, arrival: 0, tag: 0, isRunning: false, lastSeenMs: nowMs }
      enqueue(job)
      return job
    },

    /** Notes that a job polls. A waiting one that was taken for cancelled waits again; so are all forgotten that were cancelled. */
    poll(job: Job, nowMs: number) {
      advance(nowMs)
      job.lastSeenMs = nowMs
      if (!job.isRunning && !job.flow.waiting.includes(job)) enqueue(job)
      this.forgetCancelled(nowMs)
    },

    /** Forgets jobs that do not poll any more. */
    forgetCancelled(nowMs: number) {
      advance(nowMs)
      for (let i = running.length - 1; i >= 0; i--) {
        const job = running[i]
        if (job && nowMs - job.lastSeenMs > rule.runningMs) end(job, job.cost)
      }
      for (let i = backlogged.length - 1; i >= 0; i--) {
        const flow = backlogged[i]
        if (!flow) continue
        for (let j = flow.waiting.length - 1; j >= 0; j--) {
          const job = flow.waiting[j]
          if (job && nowMs - job.lastSeenMs > rule.waitingMs) this.cancel(job)
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
        const finishTag = finishTagOf(job)
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
      flow.startTag = finishTagOf(job)
      flow.ownTime = Math.max(flow.ownTime, job.tag)
      if (isSelfClocked) virtualTime = Math.max(virtualTime, flow.startTag)
      flow.running++
      flow.runningCost += job.cost
      job.isRunning = true
      running.push(job)
    },

    /** Ends a running job, and corrects its cost: its flow owes the rest, or gets it back. */
    end,

    /** Removes a waiting job: its flow owes nothing for it. */
    cancel(job: Job) {
      if (dequeue(job)) settle(job.flow)
    },

    /** Returns the work that is done before a new job of this client starts: what runs, and all with a lesser finish tag. */
    workBefore(client: string, cost: number): number {
      const flow = flows.get(client)
      const tag = (flow ? ownTimeOf(flow) : 0) + cost
      let work = 0
      for (const job of flow?.waiting ?? []) if (job.tag <= tag) work += job.cost
      const finishTag = Math.max(flow?.startTag ?? 0, virtualTime) + work + cost
      for (const other of backlogged) if (other !== flow) work += workUntil(other, finishTag)
      for (const job of running) work += job.cost
      return work
    },

    /** Returns the debt of a job's flow: how far its earlier jobs have put it ahead of virtual time. */
    debtOf: ({ flow }: Job) => Math.max(0, flow.startTag - flow.runningCost - virtualTime),

    /** Returns the job that starts last of those that wait. */
    last(): Job | undefined {
      let last: Job | undefined
      let lastTag = 0
      for (let i = 0; i < backlogged.length; i++) {
        const flow = backlogged[i]
        let own: Job | undefined
        let finishTag = flow?.startTag ?? 0
        for (let j = 0; flow && j < flow.waiting.length; j++) {
          const job = flow.waiting[j]
          if (job && (!own || job.tag >= own.tag)) own = job
          finishTag += job?.cost ?? 0
        }
        if (own) finishTag = Math.max(finishTag, finishTagOf(own))
        if (last && finishTag < lastTag) continue
        last = own
        lastTag = finishTag
      }
      return last
    },

    /** Returns about how many waiting jobs start before this one: of other flows, only the next is looked at. */
    position(job: Job): number {
      const finishTag = finishTagOf(job)
      let before = 0
      for (let i = 0; i < backlogged.length; i++) {
        const flow = backlogged[i]
        const head = flow && flow !== job.flow ? headOf(flow) : undefined
        if (head && finishTagOf(head) < finishTag) before++
      }
      for (let i = 0; i < job.flow.waiting.length; i++) {
        const other = job.flow.waiting[i]
        if (other && other.tag < job.tag) before++
      }
      return before
    },

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

/** Returns the work of a flow's waiting jobs up to this finish tag. */
function workUntil({ startTag, waiting }: Flow, finishTag: number): number {
  let tag = startTag
  let work = 0
  for (const job of waiting.toSorted((one, other) => one.tag - other.tag)) {
    tag = Math.max(tag, job.arrival) + job.cost
    if (tag > finishTag) break
    work += job.cost
  }
  return work
}

function isIdle(flow: Flow): boolean {
  return flow.waiting.length === 0 && flow.running === 0
}
