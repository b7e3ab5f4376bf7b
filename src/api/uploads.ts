import { COVER_FORM, GUEST_IMAGE_FORM, IMAGE_FORM, MANAGED_IMAGE_FORM, NEW_UPLOAD_FORM } from '../forms.ts'
import { formSchema } from './form-schema.ts'

/** The form of `POST /images` (the specification's "uploadImage"). */
export const ImageUpload = formSchema(IMAGE_FORM, {
  id: 'ImageUpload',
  description: 'One picture and what is wanted for it. Unknown fields are ignored.',
})

/** The form of `POST /management/{token}/images`. */
export const ManagedImageUpload = formSchema(MANAGED_IMAGE_FORM, {
  id: 'ManagedImageUpload',
  description: 'One picture for a gallery. Unknown fields are ignored.',
})

/** The form of `POST /guests/{token}/images`. */
export const GuestImageUpload = formSchema(GUEST_IMAGE_FORM, {
  id: 'GuestImageUpload',
  description: 'One picture of a guest. Unknown fields are ignored.',
})

/** The form of `POST /new-upload/`. */
export const NewUpload = formSchema(NEW_UPLOAD_FORM, {
  id: 'NewUpload',
  description: 'One picture, by the names of the form of the published service. Unknown fields are ignored.',
})

/** The form of `POST /covers` (the specification's "uploadCover"). */
export const CoverUpload = formSchema(COVER_FORM, {
  id: 'CoverUpload',
  description: 'Two pictures to be joined side by side, scaled down to the lesser height. Unknown fields are ignored.',
})
