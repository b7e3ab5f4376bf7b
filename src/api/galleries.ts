import * as z from 'zod'
import { FINALIZE_FORM, GALLERY_FORM } from '../forms.ts'
import { GALLERY_CREATE_RESPONSE } from '../responses.ts'
import { formSchema } from './form-schema.ts'

/** The public identifier of a gallery (D9). */
export const galleryHash = z
  .string()
  .regex(GALLERY_CREATE_RESPONSE.fields.gallery_hash.pattern)
  .describe(GALLERY_CREATE_RESPONSE.fields.gallery_hash.text)

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
