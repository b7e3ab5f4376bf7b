import * as z from 'zod'
import type { ImageStatus } from '../domain/image-status.ts'
import { STATUS_MAX_URLS, STATUS_URL_MAX_BYTES } from '../limits.ts'

const STATUSES = {
  available: 'available',
  deleted: 'deleted',
  not_found: 'not_found',
  pending: 'pending',
  invalid: 'invalid',
} as const satisfies { [Status in ImageStatus]: Status }

/** The specification's ImageStatusRequest. */
export const ImageStatusRequest = z
  .object({
    urls: z
      .array(z.string().max(STATUS_URL_MAX_BYTES).describe(`At most ${STATUS_URL_MAX_BYTES} bytes in UTF-8.`))
      .min(1)
      .max(STATUS_MAX_URLS)
      .describe('Show URLs on any of the public domains, over http or https.'),
  })
  .meta({ id: 'ImageStatusRequest', description: 'The URLs to check. Other fields are ignored.' })

/** The specification's ImageStatusResponse. */
export const ImageStatusResponse = z
  .strictObject({
    results: z
      .array(
        z.strictObject({
          url: z.string().describe('The URL as sent.'),
          status: z
            .enum(STATUSES)
            .describe(
              'available: it is there. deleted: it or its gallery was. not_found: there is no such picture. pending: its gallery is not finalized. invalid: this is no show URL of the service.',
            ),
        }),
      )
      .min(1)
      .max(STATUS_MAX_URLS)
      .describe('One for each URL, in the same order, including duplicates.'),
  })
  .meta({ id: 'ImageStatusResponse', description: 'The status of each picture, from the database alone.' })

export type ImageStatusResponse = z.infer<typeof ImageStatusResponse>
