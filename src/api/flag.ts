import * as z from 'zod'

/** A field that is 0 or 1, and 0 when it is not sent (D12). */
export function flag(description: string) {
  return z.int().min(0).max(1).default(0).describe(description)
}
