import * as z from 'zod'
import { COVER_IMAGE_FORM, EDIT_FORM, GUEST_LINK_FORM, ORDER_FORM, REMOVE_FORM, RENAME_FORM } from '../forms.ts'
import { MANAGEMENT_TOKEN_LENGTH } from '../limits.ts'
import { formSchema } from './form-schema.ts'

/** The private token at the end of a manage_url. */
export const managementToken = z
  .string()
  .regex(new RegExp(`^[A-Za-z0-9_-]{${MANAGEMENT_TOKEN_LENGTH}}$`))
  .describe('The management token: the last part of manage_url.')

/** The private token at the end of a guest_url. */
export const guestToken = z
  .string()
  .regex(new RegExp(`^[A-Za-z0-9_-]{${MANAGEMENT_TOKEN_LENGTH}}$`))
  .describe('The token of a guest link: the last part of guest_url.')

/** The limits of a guest link. */
export const GuestLinkRequest = formSchema(GUEST_LINK_FORM, {
  id: 'GuestLinkRequest',
  description: 'The limits of a guest link. Unknown fields are ignored.',
})

/** The specification's GalleryRenameRequest. */
export const GalleryRenameRequest = formSchema(RENAME_FORM, {
  id: 'GalleryRenameRequest',
  description: 'A new name. Other fields are ignored.',
})

/** The form of `POST /management/{token}/remove`. */
export const ImagesRemoval = formSchema(REMOVE_FORM, {
  id: 'ImagesRemoval',
  description: 'Pictures to remove. Other fields are ignored.',
})

/** The form of `POST /management/{token}/order`. */
export const ImagesOrder = formSchema(ORDER_FORM, {
  id: 'ImagesOrder',
  description: 'Pictures to move, and where. Other fields are ignored.',
})

/** The form of `POST /management/{token}/cover`. */
export const CoverImageChoice = formSchema(COVER_IMAGE_FORM, {
  id: 'CoverImageChoice',
  description: 'The cover image. Other fields are ignored.',
})

/** The form of `POST /management/{token}/edit`. */
export const ImageEdit = formSchema(EDIT_FORM, {
  id: 'ImageEdit',
  description: 'Texts of a picture. Other fields are ignored.',
})
