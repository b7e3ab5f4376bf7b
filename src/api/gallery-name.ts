import * as z from 'zod'
import { GALLERY_NAME_MAX_CHARACTERS } from '../limits.ts'

/** A name as it is sent (the specification's "Gallery name rules"). */
export function galleryName(description: string) {
  return z
    .string()
    .max(GALLERY_NAME_MAX_CHARACTERS)
    .describe(
      `${description} White space at both ends is dropped and runs of spaces become one before the length counts; control and format characters, line separators, angle brackets and characters of four bytes, such as emoji, are refused.`,
    )
}
