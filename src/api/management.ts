import * as z from 'zod'
import { RENAME_FORM } from '../forms.ts'
import { MANAGEMENT_TOKEN_LENGTH } from '../limits.ts'
import { formSchema } from './form-schema.ts'

/** The private token at the end of a manage_url. */
export const managementToken = z
  .string()
  .regex(new RegExp(`^[A-Za-z0-9_-]{${MANAGEMENT_TOKEN_LENGTH}}$`))
  .describe('The management token: the last part of manage_url.')

/** The specification's GalleryRenameRequest. */
export const GalleryRenameRequest = formSchema(RENAME_FORM, {
  id: 'GalleryRenameRequest',
  description: 'A new name. Other fields are ignored.',
})
