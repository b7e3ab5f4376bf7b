/**
 * The clock of all jobs of a codec. On Cloudflare, the clock of a request does not advance while it computes, so a
 * Worker passes one that it can update.
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
