// Units of time. Those of sizes are in codec/src/units.ts.

/** Milliseconds in a second. */
export const SECOND_MS = 1000
/** Milliseconds in a minute. */
export const MINUTE_MS = 60 * SECOND_MS
/** Milliseconds in an hour. */
export const HOUR_MS = 60 * MINUTE_MS
/** Milliseconds in a day. */
export const DAY_MS = 24 * HOUR_MS

/** Seconds in an hour. */
export const HOUR_S = HOUR_MS / SECOND_MS
/** Seconds in a day. */
export const DAY_S = DAY_MS / SECOND_MS
