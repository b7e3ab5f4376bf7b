import * as z from 'zod'
import { UPLOAD_TOKEN_LIFETIME_MS } from '../limits.ts'
import { HOUR_MS } from '../units.ts'
import { flag } from './flag.ts'
import { galleryName } from './gallery-name.ts'
import { manageUrl } from './management.ts'

/** The public identifier of a gallery (D9). */
export const galleryHash = z
  .string()
  .regex(/^[A-Za-z0-9]{10,}$/)
  .describe('The public identifier of the gallery.')

const uploadToken = z
  .string()
  .describe(`The private upload token, valid for ${UPLOAD_TOKEN_LIFETIME_MS / HOUR_MS} hours. Never log or share it.`)

/** The form of `POST /galleries` (the specification's "createGallery"). */
export const GalleryCreate = z
  .object({
    gallery_name: galleryName('The name; missing or empty makes an untitled gallery.').optional(),
    include_manage_url: flag('1 adds manage_url to the answer.'),
  })
  .meta({ id: 'GalleryCreate', description: 'A gallery to be created. Unknown fields are ignored.' })

/** The form of `POST /galleries/{gallery_hash}/finalize` (the specification's "finalizeGallery"). */
export const GalleryFinalize = z
  .object({ gallery_upload_hash: uploadToken })
  .meta({ id: 'GalleryFinalize', description: 'The right to finalize. Unknown fields are ignored.' })

/** The specification's GalleryCreateResponse. */
export const GalleryCreateResponse = z
  .strictObject({
    gallery_name: z.string().describe('The name as stored; an untitled gallery has an empty one.'),
    gallery_hash: galleryHash,
    gallery_url: z.url().describe('The public address, which answers once the gallery is finalized.'),
    gallery_upload_hash: uploadToken.regex(/^[A-Za-z0-9]{32,}$/),
    manage_url: manageUrl.optional(),
  })
  .meta({ id: 'GalleryCreateResponse', description: 'An unfinished gallery.' })

export type GalleryCreateResponse = z.infer<typeof GalleryCreateResponse>
