import {
  CAPTION_MAX_CHARACTERS,
  EXPIRY_MAX_S,
  EXPIRY_MIN_S,
  GALLERY_MAX_IMAGES,
  GALLERY_NAME_MAX_CHARACTERS,
  GUEST_LINK_MAX_S,
  ORDERED_MAX_IMAGES,
  POSITION_MAX,
  REMOVED_MAX_IMAGES,
  THUMBNAIL_DEFAULT_SIZE_PX,
  THUMBNAIL_MAX_SIZE_PX,
  THUMBNAIL_MIN_SIZE_PX,
  UPLOAD_MAX_BYTES,
  UPLOAD_TOKEN_LIFETIME_MS,
} from './limits.ts'
import * as routes from './routes.ts'
import { HOUR_MS } from './units.ts'

/**
 * The fields of the API's forms (the specification's "Endpoints"). Form readers and the OpenAPI document both use these rows.
 * Values are checked in the order of the rows (D14).
 */

/** The common part of all rows. A field that is not required may be missing or empty (D12). */
interface Row {
  required?: true
  /** Whether the published contract lacks it (D51). */
  isExtension?: true
  description: string
}

/** A text that is not empty. */
export interface TextRow extends Row {
  kind: 'text'
  /** Another field: both must be sent, or neither. */
  with?: string
}

/** A gallery name by the specification's "Gallery name rules". It may be empty even if it is required. */
interface GalleryNameRow extends Row {
  kind: 'gallery_name'
  maxCharacters: number
}

/** 0 or 1, by default 0. */
interface FlagRow extends Row {
  kind: 'flag'
}

/** An integer with inclusive bounds. */
export interface IntegerRow extends Row {
  kind: 'integer'
  min: number
  max: number
  byDefault?: number
}

/** An integer with inclusive bounds, which may be missing. */
export interface PositionRow extends Row {
  kind: 'position'
  max: number
}

/** Addresses of images: a text with white space between them, or in JSON a list. */
export interface ImagesRow extends Row {
  kind: 'images'
  required: true
  maxItems: number
}

/** A text of an image by the rules of `normalizeCaption`. It may be empty. */
export interface CaptionRow extends Row {
  kind: 'caption'
  maxCharacters: number
}

/** A file. */
export interface FileRow extends Row {
  kind: 'file'
  maxBytes: number
}

/** A field of a form. */
export type FieldRow = TextRow | GalleryNameRow | FlagRow | IntegerRow | PositionRow | ImagesRow | CaptionRow | FileRow

/** The rows of a form by the names of its fields. */
export type Rows = Readonly<Record<string, FieldRow>>

const NAME_RULES =
  'White space at both ends is dropped and runs of spaces become one before the length counts; control and format characters, line separators, angle brackets and characters of four bytes, such as emoji, are refused.'
const FORMATS = 'JPEG, PNG, GIF, WebP or AVIF'

const galleryName = (description: string) =>
  ({
    kind: 'gallery_name',
    maxCharacters: GALLERY_NAME_MAX_CHARACTERS,
    description: `${description} ${NAME_RULES}`,
  }) as const
const imageFile = (description: string) => ({ kind: 'file', maxBytes: UPLOAD_MAX_BYTES, description }) as const

const UPLOAD_KEY = {
  kind: 'text',
  isExtension: true,
  description: 'The key of the uploader, for programs that cannot set a header. Only some services ask for one.',
} as const satisfies TextRow

const EXPIRES_IN = {
  kind: 'integer',
  min: EXPIRY_MIN_S,
  max: EXPIRY_MAX_S,
  isExtension: true,
  description:
    'The seconds from the arrival of the request until the content is gone. The operator may set a lower maximum and a default. A gallery takes its pictures with it.',
} as const satisfies IntegerRow

const CAPTION_RULES = `At most ${CAPTION_MAX_CHARACTERS} characters, after white space at both ends is dropped and each run of it became one space. Control characters and those that change the direction of text are refused.`

const caption = (description: string) =>
  ({
    kind: 'caption',
    isExtension: true,
    maxCharacters: CAPTION_MAX_CHARACTERS,
    description: `${description} ${CAPTION_RULES}`,
  }) as const

/** The texts of an image. */
const IMAGE_TEXTS = {
  caption: caption('A caption, which the pages of the image and its gallery show.'),
  alt: caption('A text that describes the image to people who do not see it.'),
} as const satisfies Rows

/** The common fields of images and covers, in a gallery or not. */
const FILE_OPTIONS = {
  position: {
    kind: 'position',
    isExtension: true,
    max: POSITION_MAX,
    description:
      'Images of a gallery that have a position come first, in the order of their positions, however parallel requests arrive. Equal positions, and images without one, are in order of arrival.',
  },
  ...IMAGE_TEXTS,
} as const satisfies Rows

/** The common fields of images and covers. */
export const UPLOAD_OPTIONS = {
  content_type: { kind: 'flag', required: true, description: '0 = safe for work, 1 = NSFW.' },
  optimize_for_web: {
    kind: 'flag',
    description: '1 asks for web optimization: private metadata removed, a smaller file where one can be made.',
  },
  gallery_hash: {
    kind: 'text',
    with: 'gallery_upload_hash',
    description: 'The public identifier of an unfinished gallery; with gallery_upload_hash.',
  },
  gallery_upload_hash: {
    kind: 'text',
    with: 'gallery_hash',
    description: 'The private upload token of that gallery; with gallery_hash.',
  },
  include_manage_url: {
    kind: 'flag',
    description: '1 adds manage_url for a standalone upload; ignored for one that goes into a gallery.',
  },
  expires_in: EXPIRES_IN,
  upload_key: UPLOAD_KEY,
  ...FILE_OPTIONS,
} as const satisfies Rows

/** `POST /images`. */
export const IMAGE_FORM = {
  img: { ...imageFile(`The picture: ${FORMATS}. Its bytes decide, not its name or declared type.`), required: true },
  ...UPLOAD_OPTIONS,
  max_th_size: {
    kind: 'integer',
    min: THUMBNAIL_MIN_SIZE_PX,
    max: THUMBNAIL_MAX_SIZE_PX,
    byDefault: THUMBNAIL_DEFAULT_SIZE_PX,
    description: 'The largest width or height of the thumbnail, in pixels. A picture is never enlarged.',
  },
} as const satisfies Rows

/** `POST /new-upload/`: the fields that published programs send there. */
export const NEW_UPLOAD_FORM = {
  file: IMAGE_FORM.img,
  name: { kind: 'text', description: "The picture's name. Default: that of the file." },
  ...UPLOAD_OPTIONS,
  max_th_size: IMAGE_FORM.max_th_size,
} as const satisfies Rows

/** `POST /covers`. */
export const COVER_FORM = {
  img_left: { ...imageFile('The left picture.'), required: true },
  img_right: imageFile('The right picture; without it the left one is stored as it is.'),
  ...UPLOAD_OPTIONS,
} as const satisfies Rows

/** `POST /galleries`. */
export const GALLERY_FORM = {
  gallery_name: galleryName('The name; missing or empty makes an untitled gallery.'),
  include_manage_url: { kind: 'flag', description: '1 adds manage_url to the response.' },
  expires_in: EXPIRES_IN,
  upload_key: UPLOAD_KEY,
} as const satisfies Rows

/** `POST /galleries/{gallery_hash}/finalize`. */
export const FINALIZE_FORM = {
  gallery_upload_hash: {
    kind: 'text',
    required: true,
    description: `The private upload token, valid for ${UPLOAD_TOKEN_LIFETIME_MS / HOUR_MS} hours. Never log or share it.`,
  },
} as const satisfies Rows

/** `POST /management/{token}/guests`, as a form or as JSON. */
export const GUEST_LINK_FORM = {
  max_images: {
    kind: 'integer',
    min: 0,
    max: GALLERY_MAX_IMAGES,
    byDefault: 0,
    description: 'The number of images that guests may add. Default: 0, no limit but that of the gallery.',
  },
  expires_in: {
    kind: 'integer',
    min: 0,
    max: GUEST_LINK_MAX_S,
    byDefault: 0,
    description: 'The time in seconds for which the link is valid. Default: 0, no limit.',
  },
} as const satisfies Rows

/** `POST /guests/{token}/images`. */
export const GUEST_IMAGE_FORM = {
  img: IMAGE_FORM.img,
  content_type: UPLOAD_OPTIONS.content_type,
  optimize_for_web: UPLOAD_OPTIONS.optimize_for_web,
  expires_in: EXPIRES_IN,
  max_th_size: IMAGE_FORM.max_th_size,
} as const satisfies Rows

/** `POST /management/{token}/rename`, as a form or as JSON. */
export const RENAME_FORM = {
  name: { ...galleryName('The new name, empty for none.'), required: true },
} as const satisfies Rows

/** `POST /management/{token}/images`: the fields of `POST /images` that do not name a gallery. */
export const MANAGED_IMAGE_FORM = {
  img: IMAGE_FORM.img,
  content_type: UPLOAD_OPTIONS.content_type,
  optimize_for_web: UPLOAD_OPTIONS.optimize_for_web,
  expires_in: EXPIRES_IN,
  upload_key: UPLOAD_KEY,
  ...FILE_OPTIONS,
  max_th_size: IMAGE_FORM.max_th_size,
} as const satisfies Rows

const IMAGE_REFERENCE = `by its show_url or the part of it after ${routes.prefixOf(routes.show)}`

/** `POST /management/{token}/remove`, as a form or as JSON. */
export const REMOVE_FORM = {
  images: {
    kind: 'images',
    required: true,
    maxItems: REMOVED_MAX_IMAGES,
    description: `The images, each ${IMAGE_REFERENCE}: in JSON a list, in a form with white space between them.`,
  },
} as const satisfies Rows

/** `POST /management/{token}/order`, as a form or as JSON. */
export const ORDER_FORM = {
  images: {
    kind: 'images',
    required: true,
    maxItems: ORDERED_MAX_IMAGES,
    description: `The images to move, in their new order, each ${IMAGE_REFERENCE}: in JSON a list, in a form with white space between them.`,
  },
  before: { kind: 'text', description: 'The image that they are moved before. Default: the first of all others.' },
  after: { kind: 'text', description: 'The image that they are moved after, in place of before.' },
} as const satisfies Rows

/** `POST /management/{token}/cover`, as a form or as JSON. */
export const COVER_IMAGE_FORM = {
  image: { kind: 'text', description: `The cover image, ${IMAGE_REFERENCE}. Default: the first image.` },
} as const satisfies Rows

/** `POST /management/{token}/edit`, as a form or as JSON. */
export const EDIT_FORM = {
  image: {
    kind: 'text',
    description: `The image of a gallery, ${IMAGE_REFERENCE}. With the token of an image it is not needed.`,
  },
  ...IMAGE_TEXTS,
} as const satisfies Rows
