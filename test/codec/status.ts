/** The statuses of src/codec/status.ts that a decoder or encoder answers. */
export const OK = 0
export const MALFORMED = 1
export const UNSUPPORTED = 2
export const NO_PIXELS = 3
export const OVER_BUDGET = 4
