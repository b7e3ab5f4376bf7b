import * as z from 'zod'
import { RENAME_FORM } from '../forms.ts'
import { MANAGEMENT_TOKEN_LENGTH } from '../limits.ts'
import { formSchema } from './form-schema.ts'

/** The private token at the end of a manage_url. */
export const managementToken = z
  .string()
  .regex(new RegExp(`^[A-Za-z0-9_-]{${MANAGEMENT_TOKEN_LENGTH}}$`))
  .describe('The management token: the last part of manage_url.')

/** The private link, if the request asked for one. */
export const manageUrl = z
  .url()
  .describe('The private management link, present when include_manage_url=1 was sent. Cannot be recovered later.')

/** The specification's GalleryRenameRequest. */
export const GalleryRenameRequest = formSchema(RENAME_FORM, {
  id: 'GalleryRenameRequest',
  description: 'A new name. Other fields are ignored.',
})

/** The specification's GalleryRenameResponse. */
export const GalleryRenameResponse = z
  .strictObject({
    success: z.literal(true),
    resource_type: z.literal('gallery'),
    gallery_name: z.string().describe('The name as stored.'),
    gallery_url: z.url().describe('The public address, unchanged by the new name.'),
  })
  .meta({ id: 'GalleryRenameResponse', description: 'A renamed gallery.' })

/** The specification's DeleteResponse. */
export const DeleteResponse = z
  .strictObject({
    success: z.literal(true),
    resource_type: z.enum(['image', 'gallery']).describe('What was deleted; a cover is an image.'),
    deleted: z.literal(true),
  })
  .meta({ id: 'DeleteResponse', description: 'What was deleted. Its management token is revoked.' })

export type GalleryRenameResponse = z.infer<typeof GalleryRenameResponse>
export type DeleteResponse = z.infer<typeof DeleteResponse>
