import * as z from 'zod'
import { OEMBED_CACHE_AGE_S } from '../limits.ts'

const common = {
  version: z.literal('1.0'),
  title: z.string().describe('The name of the picture or gallery.'),
  provider_name: z.string(),
  provider_url: z.url(),
  cache_age: z.literal(OEMBED_CACHE_AGE_S).describe('For how many seconds the response may be cached.'),
}
const pixels = z.int().min(1)

/** An image to show, in the largest file that fits (oEmbed 1.0, "The photo type"). */
const OembedPhoto = z
  .strictObject({
    type: z.literal('photo'),
    url: z.url(),
    width: pixels,
    height: pixels,
    ...common,
    thumbnail_url: z.url().optional(),
    thumbnail_width: pixels.optional(),
    thumbnail_height: pixels.optional(),
  })
  .meta({ id: 'OembedPhoto', description: 'A picture that fits the box.' })

/** A gallery, an NSFW image, or an image without a file that fits (oEmbed 1.0, "The link type"). */
const OembedLink = z
  .strictObject({ type: z.literal('link'), ...common })
  .meta({ id: 'OembedLink', description: 'Content to link to without showing it.' })

/** A response of oEmbed. */
export const Oembed = z.union([OembedPhoto, OembedLink]).meta({ id: 'Oembed', description: 'How to embed a page.' })
