import * as z from 'zod'
import { FORMATS, type MediaType } from '../../codec/src/interface.ts'
import { COVER_FORM, IMAGE_FORM } from '../forms.ts'
import type { OptimizationReason } from '../image/optimize.ts'
import { IMAGE_NAME_MAX_CHARACTERS } from '../limits.ts'
import { formSchema } from './form-schema.ts'
import { manageUrl } from './management.ts'

const REASONS = {
  animated: 'animated',
  gif_not_optimized: 'gif_not_optimized',
  metadata_only: 'metadata_only',
  kept_avif: 'kept_avif',
  reencoded_webp: 'reencoded_webp',
  converted_to_webp: 'converted_to_webp',
  webp_not_smaller: 'webp_not_smaller',
} as const satisfies { [Reason in OptimizationReason]: Reason }

const LONGEST_EXTENSION = 5
const mediaType = (description: string) =>
  z.enum(Object.values(FORMATS).map((format): MediaType => format.mediaType)).describe(description)
const bytes = (description: string) => z.int().min(0).meta({ format: 'int64', description })
const pixels = (description: string) => z.int().min(1).describe(description)

/** The form of `POST /images` (the specification's "uploadImage"). */
export const ImageUpload = formSchema(IMAGE_FORM, {
  id: 'ImageUpload',
  description: 'One picture and what is wanted for it. Unknown fields are ignored.',
})

/** The form of `POST /covers` (the specification's "uploadCover"). */
export const CoverUpload = formSchema(COVER_FORM, {
  id: 'CoverUpload',
  description: 'Two pictures to be joined side by side, scaled down to the lesser height. Unknown fields are ignored.',
})

/** The specification's OptimizationResult. */
export const OptimizationResult = z
  .strictObject({
    requested: z.boolean().describe('Always true: without the request there is no report.'),
    applied: z.boolean().describe('Whether the stored bytes differ from the upload.'),
    converted: z.boolean().describe('Whether the stored media type differs from that of the upload.'),
    reason: z.enum(REASONS).describe('What was done, and why.'),
    source_mime: mediaType('The media type of the upload; of a cover, that of its left picture.'),
    stored_mime: mediaType('The media type as stored.'),
    source_bytes: bytes('The size of the upload; of a cover, of both files together.'),
    stored_bytes: bytes('The size as stored, never more than that of the upload.'),
    source_width: pixels('Width of the upload as displayed.').optional(),
    source_height: pixels('Height of the upload as displayed.').optional(),
    stored_width: pixels('Width of what is stored.').optional(),
    stored_height: pixels('Height of what is stored.').optional(),
    original_candidate_bytes: bytes('The size of the upload without its metadata, if that was made.').optional(),
    webp_candidate_bytes: bytes('The size of the WebP candidate, if one was made.').optional(),
  })
  .meta({ id: 'OptimizationResult', description: 'What web optimization did.' })

/** The specification's UploadResponse. */
export const UploadResponse = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9_-]+\.(?:jpg|png|gif|webp|avif)$/)
      .max(IMAGE_NAME_MAX_CHARACTERS + LONGEST_EXTENSION)
      .describe('The stored file name, with the extension of the stored format.'),
    show_url: z.url().describe('The public page: the link to share.'),
    th_url: z.url().describe('The thumbnail, a WebP.'),
    thumb_width: pixels('Width of the thumbnail.'),
    thumb_height: pixels('Height of the thumbnail.'),
    manage_url: manageUrl.optional(),
    optimization: OptimizationResult.optional().describe(
      'Present when optimize_for_web was sent and the optimizer did not fail.',
    ),
  })
  .meta({ id: 'UploadResponse', description: 'A stored picture or cover.' })

export type OptimizationResult = z.infer<typeof OptimizationResult>
export type UploadResponse = z.infer<typeof UploadResponse>
