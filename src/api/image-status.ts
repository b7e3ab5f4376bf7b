import * as z from 'zod'
import { STATUS_MAX_URLS, STATUS_URL_MAX_BYTES } from '../limits.ts'

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
