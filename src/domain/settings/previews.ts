import { parseSwitch } from './switch.ts'

/** Whether previews are made: `PREVIEWS` as it is written. Throws an `UnreadableSetting`. */
export function parsePreviews(setting: string): boolean {
  return parseSwitch('PREVIEWS', setting)
}
