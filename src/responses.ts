import { FORMATS } from 'tintype-codec/interface'
import { ERROR_CODES } from './errors.ts'
import { FINALIZE_FORM } from './forms.ts'
import { GALLERY_PAGE_IMAGES, IMAGE_NAME_MAX_CHARACTERS, STATUS_MAX_URLS } from './limits.ts'

/**
 * The fields of the API's JSON responses, in the order of the specification. Types, the objects that are sent and the schemas of
 * OpenAPI are made of these rows. oEmbed has another specification, and is in src/api/embedding.ts.
 */

interface Row {
  /** The field may be absent. */
  optional?: true
  /** Whether the published contract lacks it (D51). */
  isExtension?: true
  text?: string
}

interface TextRow extends Row {
  kind: 'text'
  pattern?: RegExp
  maxCharacters?: number
}

interface AddressRow extends Row {
  kind: 'url' | 'uuid'
}

/** A time of RFC 3339 in UTC. */
interface TimeRow extends Row {
  kind: 'time'
}

interface IntegerRow extends Row {
  kind: 'integer'
  min: number
  format?: 'int64'
}

interface BooleanRow extends Row {
  kind: 'boolean'
}

/** Constant in every response. */
interface ConstantRow extends Row {
  kind: 'constant'
  value: string | boolean
}

interface ChoiceRow extends Row {
  kind: 'choice'
  values: readonly string[]
}

interface ObjectRow extends Row {
  kind: 'object'
  of: ResponseTable
}

interface ListRow extends Row {
  kind: 'list'
  fields: ResponseRows
  /** The table of these fields, where it has a name of its own. */
  of?: ResponseTable
  min: number
  max: number
}

/** A field of a response. */
export type ResponseRow =
  | TextRow
  | AddressRow
  | TimeRow
  | IntegerRow
  | BooleanRow
  | ConstantRow
  | ChoiceRow
  | ObjectRow
  | ListRow

/** The rows of a response by the names of its fields. */
export type ResponseRows = Readonly<Record<string, ResponseRow>>

/** A response, or an object in one. */
export interface ResponseTable {
  /** The name of its schema. */
  id: string
  text: string
  /** More fields may be added. */
  isOpen?: true
  fields: ResponseRows
}

const LONGEST_EXTENSION = 5
const MEDIA_TYPES = [
  FORMATS.jpeg.mediaType,
  FORMATS.png.mediaType,
  FORMATS.gif.mediaType,
  FORMATS.webp.mediaType,
  FORMATS.avif.mediaType,
] as const

const pixels = (text: string) => ({ kind: 'integer', min: 1, text }) as const
const bytes = (text: string) => ({ kind: 'integer', min: 0, format: 'int64', text }) as const
const mediaType = (text: string) => ({ kind: 'choice', values: MEDIA_TYPES, text }) as const
const url = (text: string) => ({ kind: 'url', text }) as const
const text = (description: string) => ({ kind: 'text', text: description }) as const
const boolean = (description: string) => ({ kind: 'boolean', text: description }) as const
const always = <Value extends string | boolean>(value: Value) => ({ kind: 'constant', value }) as const

const GALLERY_HASH = {
  kind: 'text',
  pattern: /^[A-Za-z0-9]{10,}$/,
  text: 'The public identifier of the gallery.',
} as const
const MANAGE_URL = {
  ...url('The private management link, present when include_manage_url=1 was sent. Cannot be recovered later.'),
  optional: true,
} as const

/** Where there is no such field, the client did not ask. */
const EXPIRES_AT = {
  kind: 'time',
  text: 'When it expires. Present when expires_in was sent.',
  optional: true,
  isExtension: true,
} as const

/** The specification's OptimizationResult. */
export const OPTIMIZATION_RESULT = {
  id: 'OptimizationResult',
  text: 'The result of web optimization.',
  fields: {
    requested: boolean('Always true: without the request there is no report.'),
    applied: boolean('Whether the stored bytes differ from the upload.'),
    converted: boolean('Whether the stored media type differs from that of the upload.'),
    reason: {
      kind: 'choice',
      values: [
        'animated',
        'gif_not_optimized',
        'metadata_only',
        'kept_avif',
        'reencoded_webp',
        'converted_to_webp',
        'webp_not_smaller',
      ],
      text: 'What was done, and why.',
    },
    source_mime: mediaType('The media type of the upload; of a cover, that of its left image.'),
    stored_mime: mediaType('The media type as stored.'),
    source_bytes: bytes('The size of the upload; of a cover, of both files together.'),
    stored_bytes: bytes('The size as stored, never more than that of the upload.'),
    source_width: { ...pixels('Width of the upload as displayed.'), optional: true },
    source_height: { ...pixels('Height of the upload as displayed.'), optional: true },
    stored_width: { ...pixels('Width of the stored image.'), optional: true },
    stored_height: { ...pixels('Height of the stored image.'), optional: true },
    original_candidate_bytes: {
      ...bytes('The size of the upload without its metadata, if that was made.'),
      optional: true,
    },
    webp_candidate_bytes: { ...bytes('The size of the WebP candidate, if one was made.'), optional: true },
  },
} as const satisfies ResponseTable

/** The specification's UploadResponse. */
export const UPLOAD_RESPONSE = {
  id: 'UploadResponse',
  text: 'A stored image or cover.',
  fields: {
    name: {
      kind: 'text',
      pattern: /^[a-z0-9_-]+\.(?:jpg|png|gif|webp|avif)$/,
      maxCharacters: IMAGE_NAME_MAX_CHARACTERS + LONGEST_EXTENSION,
      text: 'The stored file name, with the extension of the stored format.',
    },
    show_url: url('The public page: the link to share.'),
    th_url: url('The thumbnail, a WebP.'),
    thumb_width: pixels('Width of the thumbnail.'),
    thumb_height: pixels('Height of the thumbnail.'),
    manage_url: MANAGE_URL,
    optimization: {
      kind: 'object',
      of: OPTIMIZATION_RESULT,
      optional: true,
      text: 'Present when optimize_for_web was sent and the optimizer did not fail.',
    },
    expires_at: EXPIRES_AT,
  },
} as const satisfies ResponseTable

/** The specification's GalleryCreateResponse. */
export const GALLERY_CREATE_RESPONSE = {
  id: 'GalleryCreateResponse',
  text: 'An unfinished gallery.',
  fields: {
    gallery_name: text('The name as stored; empty for an untitled gallery.'),
    gallery_hash: GALLERY_HASH,
    gallery_url: url('The public address, which works once the gallery is finalized.'),
    gallery_upload_hash: {
      kind: 'text',
      pattern: /^[A-Za-z0-9]{32,}$/,
      text: FINALIZE_FORM.gallery_upload_hash.description,
    },
    manage_url: MANAGE_URL,
    expires_at: EXPIRES_AT,
  },
} as const satisfies ResponseTable

/** The specification's GalleryRenameResponse. */
export const GALLERY_RENAME_RESPONSE = {
  id: 'GalleryRenameResponse',
  text: 'A renamed gallery.',
  fields: {
    success: always(true),
    resource_type: always('gallery'),
    gallery_name: text('The name as stored.'),
    gallery_url: url('The public address, unchanged by the new name.'),
  },
} as const satisfies ResponseTable

/** The response to a change of a gallery's images (an extension). */
export const GALLERY_CHANGE_RESPONSE = {
  id: 'GalleryChangeResponse',
  text: 'A gallery whose images were removed, moved or chosen as its cover.',
  fields: {
    success: always(true),
    resource_type: always('gallery'),
    gallery_url: url('The public address, which stays the same.'),
  },
} as const satisfies ResponseTable

/** The response to an edit of an image (an extension). */
export const IMAGE_EDIT_RESPONSE = {
  id: 'ImageEditResponse',
  text: 'An image with its texts.',
  fields: {
    success: always(true),
    resource_type: always('image'),
    show_url: url('The public page, which stays the same.'),
    caption: text('The caption as stored; empty for none.'),
    alt: text('The alternative text as stored; empty for none.'),
  },
} as const satisfies ResponseTable

/** The guest link of a gallery (an extension). */
export const GUEST_LINK_RESPONSE = {
  id: 'GuestLinkResponse',
  text: 'A guest link. An earlier one of the gallery is closed.',
  isOpen: true,
  fields: {
    success: always(true),
    guest_url: url('The page on which guests add images: the link to share, as a QR code too. Private.'),
    guest_upload_url: url('Where programs of guests upload images.'),
    max_images: { kind: 'integer', min: 1, optional: true, text: 'The number of images that guests may add.' },
    expires_at: { kind: 'time', optional: true, text: 'When the link expires.' },
  },
} as const satisfies ResponseTable

/** A guest link that was closed (an extension). */
export const GUEST_CLOSE_RESPONSE = {
  id: 'GuestCloseResponse',
  text: 'The gallery has no open guest link.',
  isOpen: true,
  fields: { success: always(true), closed: always(true) },
} as const satisfies ResponseTable

/** The specification's DeleteResponse. */
export const DELETE_RESPONSE = {
  id: 'DeleteResponse',
  text: 'What was deleted. Its management token is revoked.',
  fields: {
    success: always(true),
    resource_type: { kind: 'choice', values: ['image', 'gallery'], text: 'What was deleted; a cover is an image.' },
    deleted: always(true),
  },
} as const satisfies ResponseTable

/** The specification's ImageStatusResponse. */
export const IMAGE_STATUS_RESPONSE = {
  id: 'ImageStatusResponse',
  text: 'The status of each image, from the database alone.',
  fields: {
    results: {
      kind: 'list',
      min: 1,
      max: STATUS_MAX_URLS,
      text: 'One for each URL, in the same order, including duplicates.',
      fields: {
        url: text('The URL as sent.'),
        status: {
          kind: 'choice',
          values: ['available', 'deleted', 'not_found', 'pending', 'invalid'],
          text: 'available: it is there. deleted: it or its gallery was. not_found: there is no such image. pending: its gallery is not finalized. invalid: this is no show URL of the service.',
        },
      },
    },
  },
} as const satisfies ResponseTable

const IMAGE_RECORD_FIELDS = {
  name: text('The name as it was sent, for people. Letters of every script are kept.'),
  show_url: url('The public page: the link to share.'),
  image_url: url('The stored file.'),
  thumb_url: url('The thumbnail, a WebP.'),
  preview_url: { ...url('The preview. Images of before previews existed may have none.'), optional: true },
  media_type: { kind: 'text', pattern: /^image\/[a-z]+$/, text: 'The media type of the stored file.' },
  bytes: bytes('The size of the stored file.'),
  width: pixels('Width as displayed.'),
  height: pixels('Height as displayed.'),
  nsfw: boolean('Whether the image is marked as not safe for work.'),
  caption: { ...text('The caption, if it has one.'), optional: true },
  alt: { ...text('The alternative text, for those who do not see the image, if it has one.'), optional: true },
  created_at: { kind: 'time', text: 'When its upload arrived.' },
  gallery_url: { ...url('The gallery that it is in.'), optional: true },
  position: { kind: 'integer', min: 1, optional: true, text: 'Its position in the gallery, from 1.' },
  expires_at: {
    kind: 'time',
    optional: true,
    text: 'When it expires, by itself or with its gallery. Absent if it stays.',
  },
} as const satisfies ResponseRows

/** A public image (an extension). */
export const IMAGE_RECORD = {
  id: 'ImageRecord',
  text: 'A public image or cover. More properties may be added.',
  isOpen: true,
  fields: IMAGE_RECORD_FIELDS,
} as const satisfies ResponseTable

/** A page of a public gallery (an extension). */
export const GALLERY_RECORD = {
  id: 'GalleryRecord',
  text: 'A public gallery with a page of its images. More properties may be added.',
  isOpen: true,
  fields: {
    name: text('The name; empty for an untitled gallery.'),
    gallery_url: url('The public page: the link to share.'),
    image_count: { kind: 'integer', min: 0, text: 'The number of its images.' },
    created_at: { kind: 'time', text: 'When it was created.' },
    download_url: url('Its images as a ZIP file. A gallery of several pages has a part for each: ?part=2.'),
    images: {
      kind: 'list',
      of: IMAGE_RECORD,
      fields: IMAGE_RECORD_FIELDS,
      min: 0,
      max: GALLERY_PAGE_IMAGES,
      text: 'The images of this page, in their order.',
    },
    next: { ...url('The next page; absent on the last one.'), optional: true },
    expires_at: { kind: 'time', optional: true, text: 'When it expires, with its images. Absent if it stays.' },
  },
} as const satisfies ResponseTable

/** Problem Details (RFC 9457), for clients that name their media type in Accept. */
export const PROBLEM = {
  id: 'Problem',
  text: 'Why a request was refused, as Problem Details (RFC 9457). More properties may be added.',
  isOpen: true,
  fields: {
    type: url('The documentation of this error: its cause and its fix.'),
    title: text('The kind of the error.'),
    status: { kind: 'integer', min: 400, text: 'The status of the response.' },
    detail: text('A sentence that tells what to change. Its wording may change.'),
    instance: { kind: 'text', pattern: /^urn:uuid:[0-9a-f-]{36}$/, text: 'The X-Request-ID of the response.' },
    code: { kind: 'choice', values: ERROR_CODES, text: 'The stable code of the error.' },
  },
} as const satisfies ResponseTable

/** The specification's ApiError. */
export const API_ERROR = {
  id: 'ApiError',
  text: 'Why a request was refused. More properties may be added.',
  isOpen: true,
  fields: {
    success: always(false),
    error: { kind: 'choice', values: ERROR_CODES, text: 'The stable code of the error.' },
    message: text('A sentence that tells what to change. Its wording may change.'),
    request_id: { kind: 'uuid', text: 'The X-Request-ID of the response.' },
    documentation_url: url('The documentation of this error: its cause and its fix.'),
  },
} as const satisfies ResponseTable

/** The error of `POST /new-upload/`, as published programs read it. */
export const FORM_ERROR = {
  id: 'FormError',
  text: 'Why an upload was refused.',
  isOpen: true,
  fields: {
    error: {
      kind: 'object',
      of: {
        id: 'FormErrorDescription',
        text: 'The reason.',
        isOpen: true,
        fields: { description: text('A sentence that tells what to change. Its wording may change.') },
      },
    },
  },
} as const satisfies ResponseTable

type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name

type ValueOf<Field> = Field extends { kind: 'integer' }
  ? number
  : Field extends { kind: 'boolean' }
    ? boolean
    : Field extends { kind: 'choice'; values: readonly (infer Value)[] }
      ? Value
      : Field extends { kind: 'object'; of: infer Table }
        ? ValuesOf<Table>
        : Field extends { kind: 'list'; fields: infer Fields }
          ? readonly ValuesOf<{ fields: Fields }>[]
          : string

/** The values of a response, by the names of its fields in camel case, without those that are always the same. */
export type ValuesOf<Table> = Table extends { fields: infer Fields }
  ? {
      [Name in keyof Fields as Fields[Name] extends { kind: 'constant' } ? never : Camel<Name> & string]:
        | ValueOf<Fields[Name]>
        | (Fields[Name] extends { optional: true } ? undefined : never)
    }
  : never
