/** Settings of the admission of bodies to an isolate's memory. */
export interface AdmissionRule {
  /** Memory of all small bodies together. They never wait for large ones. */
  smallBudgetBytes: number
  /** The largest expected size of a small body. */
  smallBytes: number
  /** Memory of all other bodies together. */
  largeBudgetBytes: number
  /** Bytes of a body that are read before it is admitted, so that a sender of nothing takes no memory from others. */
  beginningBytes: number
  /** Part of a budget, from 0 to 1, that each client may use all the time without being delayed by others. */
  guaranteedShare: number
  /** Time for which a body is announced to hold its memory. In the end its client is charged for the time while others waited. */
  announcedMs: number
  /** Minimum data rate while others wait. */
  slowBytesPerMs: number
  /** Maximum lag behind the minimum rate while one other body waits. It shrinks to a third with the number that wait. */
  graceMs: number
  /** With this many more waiting bodies, the grace is halved. */
  crowd: number
  /** Minimum data rate once another client has waited for `pressedAfterMs`, and of a client in debt while others wait. */
  pressedBytesPerMs: number
  pressedAfterMs: number
  /** The longest debt of a client: for so long others go first. */
  maxDebtMs: number
  /** The least grace of a client in debt. */
  debtorGraceMs: number
  /** Maximum wait of a body for memory. A body whose client would wait longer is rejected at once. */
  waitMs: number
  /** The least Retry-After. It is longer, up to `waitMs`, if the client's queue is longer than the wait. */
  retryAfterS: number
  /** Bodies that wait for one budget, at most. */
  maxWaiting: number
  /** Expected rate of all bodies together, before any was measured. */
  expectedBytesPerMs: number
  /** A body that has not taken or returned memory for this long belongs to a request that was cancelled. */
  lostMs: number
}
