/**
 * A clock that all jobs of a codec share. On Cloudflare the clock of a request stands still while it computes: a host of Workers
 * hands in one that it can bring to the present.
 */
export interface CodecClock {
  /** Returns the time in milliseconds, which may lag. */
  nowMs(): number
  /** Brings the clock of this request to the present. */
  toPresent(): Promise<void>
  /** Resolves after this time, with a clock of the present. */
  wait(ms: number): Promise<void>
}

/** The clock of a host whose clock moves while it computes: Node.js, a browser, a local workerd. */
export const MOVING_CLOCK: CodecClock = {
  nowMs: () => Date.now(),
  toPresent: async () => {},
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}
