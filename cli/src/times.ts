import { DAY_S, HOUR_S, MINUTE_MS, SECOND_MS } from '../../src/units.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1, m: MINUTE_MS / SECOND_MS, h: HOUR_S, d: DAY_S, w: 7 * DAY_S }

/** Returns the seconds of a duration such as `90s`, `12h` or `7d`; undefined for any other text. */
export function durationSeconds(text: string): number | undefined {
  const [, count, unit = ''] = /^([0-9]{1,9})([smhdw])$/.exec(text) ?? []
  const seconds = UNITS[unit]
  return count === undefined || seconds === undefined ? undefined : Number(count) * seconds
}
