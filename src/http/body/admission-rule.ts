/** How the bodies of an isolate share its memory, and how long one waits for some. */
export interface AdmissionRule {
  /** What all small bodies may hold together. They never wait for large ones. */
  smallBudgetBytes: number
  /** The largest expected size of a small body. */
  smallBytes: number
  /** What all other bodies may hold together. */
  largeBudgetBytes: number
  /** How much of a body is read before it is admitted, so that a sender of nothing takes no room from others. */
  beginningBytes: number
  /** The share of a budget that one client may hold while others wait, from 0 to 1. */
  clientShare: number
  /** The share of a budget that all clients that stalled recently may hold together, as long as others come. */
  stallersShare: number
  /**
   * How far a sender may fall behind `slowBytesPerMs` while one other body waits. It shrinks to a third of that with the number of
   * waiting bodies, and further for a client that stalled recently.
   */
  patienceMs: number
  /** How fast a body must come while others wait for its memory. */
  slowBytesPerMs: number
  /** How fast once a body of another client has waited for `pressedAfterMs`, and always for a client that stalled recently. */
  pressedBytesPerMs: number
  pressedAfterMs: number
  /** The least patience with a client that stalled recently. */
  leastPatienceMs: number
  /** With this many more waiting bodies, the patience is halved. */
  crowd: number
  /** For each MiB of its size, a body lets those pass that came this much later. */
  sizeMsPerMib: number
  /** For each recent stall of its client, a body lets those pass that came this much later. */
  stallMs: number
  /** How long a body waits for memory. */
  waitMs: number
  /** How many bodies may wait before one; the others are refused. */
  maxWaiting: number
  /** When the sender of a refused body may come again. */
  retryAfterS: number
  /** A body that has not asked for memory, nor given any back, for this long belongs to a request that was cancelled. */
  lostMs: number
}
