import * as z from 'zod'
import { FINALIZE_FORM, GALLERY_FORM } from '../forms.ts'
import { formSchema } from './form-schema.ts'
import { manageUrl } from './management.ts'

/** The public identifier of a gallery (D9). */
export const galleryHash = z
  .string()
  .regex(/^[A-Za-z0-9]{10,}$/)
  .describe('The public identifier of the gallery.')

/** The form of `POST /galleries` (the specification's "createGallery"). */
export const GalleryCreate = formSchema(GALLERY_FORM, {
  id: 'GalleryCreate',
  description: 'A gallery to be created. Unknown fields are ignored.',
})

/** The form of `POST /galleries/{gallery_hash}/finalize` (the specification's "finalizeGallery"). */
export const GalleryFinalize = formSchema(FINALIZE_FORM, {
  id: 'GalleryFinalize',
  description: 'The token that allows to finalize. Unknown fields are ignored.',
})

/** The specification's GalleryCreateResponse. */
export const GalleryCreateResponse = z
  .strictObject({
    gallery_name: z.string().describe('The name as stored; empty for an untitled gallery.'),
    gallery_hash: galleryHash,
    gallery_url: z.url().describe('The public address, which answers once the gallery is finalized.'),
    gallery_upload_hash: z
      .string()
      .regex(/^[A-Za-z0-9]{32,}$/)
      .describe(FINALIZE_FORM.gallery_upload_hash.description),
    manage_url: manageUrl.optional(),
  })
  .meta({ id: 'GalleryCreateResponse', description: 'An unfinished gallery.' })

export type GalleryCreateResponse = z.infer<typeof GalleryCreateResponse>
