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

const UNITS_S = { s: 1, m: 60, h: HOUR_S, d: DAY_S, w: 7 * DAY_S }

/** Returns the seconds of a duration such as `90s`, `30m`, `12h`, `7d` or `2w`; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, digits, unit] = /^([1-9][0-9]{0,9})([smhdw])$/.exec(text) ?? []
  return unit === undefined || !isUnit(unit) ? undefined : Number(digits) * UNITS_S[unit]
}

function isUnit(unit: string): unit is keyof typeof UNITS_S {
  return Object.hasOwn(UNITS_S, unit)
}
