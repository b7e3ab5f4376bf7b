import { FORMATS } from 'tintype-codec/interface'
import { KIB } from 'tintype-codec/units'
import type * as z from 'zod'
import type { ErrorCode } from '../errors.ts'
import {
  FORM_BODY_MAX_BYTES,
  GALLERY_PAGE_IMAGES,
  IDEMPOTENCY_KEY_MAX_CHARACTERS,
  IDEMPOTENCY_RESPONSE_LIFETIME_MS,
  OPTIMIZED_MAX_EDGE_PX,
  OPTIMIZED_WEBP_QUALITY,
  PREVIEW_MAX_BYTES,
  PREVIEW_MAX_EDGE_PX,
  STATUS_BODY_MAX_BYTES,
  STATUS_MAX_URLS,
  STATUS_RATE_BURST,
  STATUS_RATE_INTERVAL_MS,
} from '../limits.ts'
import {
  DELETE_RESPONSE,
  GALLERY_CHANGE_RESPONSE,
  GALLERY_CREATE_RESPONSE,
  GALLERY_RECORD,
  GALLERY_RENAME_RESPONSE,
  GUEST_CLOSE_RESPONSE,
  GUEST_LINK_RESPONSE,
  IMAGE_EDIT_RESPONSE,
  IMAGE_RECORD,
  IMAGE_STATUS_RESPONSE,
  type ResponseTable,
  UPLOAD_RESPONSE,
} from '../responses.ts'
import * as routes from '../routes.ts'
import { HOUR_MS, SECOND_MS } from '../units.ts'
import { Oembed } from './embedding.ts'
import { GalleryCreate, GalleryFinalize, galleryHash } from './galleries.ts'
import { CORS, FILE, type HeaderName, PRIVATE, RATE, RECORD, REFUSED_FILE } from './headers.ts'
import { ImageStatusRequest } from './image-status.ts'
import {
  CoverImageChoice,
  GalleryRenameRequest,
  GuestLinkRequest,
  guestToken,
  ImageEdit,
  ImagesOrder,
  ImagesRemoval,
  managementToken,
} from './management.ts'
import { responseSchema } from './response-schema.ts'
import { CoverUpload, GuestImageUpload, ImageUpload, ManagedImageUpload, NewUpload } from './uploads.ts'

/** A parameter in the path, the query or a header. */
export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description: string
  schema: Readonly<Record<string, unknown>> | z.ZodType
  /** Whether the published contract lacks it (D51). */
  isExtension?: true
}

/** A response other than an error: its description, and the schema of its JSON or the media types of its body. */
export interface OperationResponse {
  description: string
  headers: readonly HeaderName[]
  json?: z.ZodType
  /** Media types of bodies other than JSON. */
  types?: readonly string[]
}

/** The media types and the schema of a request body. */
export interface RequestBody {
  required: boolean
  types: readonly string[]
  /** Further media types, which the published contract lacks (D51). */
  extensionTypes?: readonly string[]
  schema: z.ZodType
}

/** An operation of the API, without what applies to all operations. */
export interface Operation {
  method: 'get' | 'head' | 'post'
  path: string
  id: string
  tag: Tag
  summary: string
  /** Paragraphs. */
  description: readonly string[]
  parameters?: readonly Parameter[]
  body?: RequestBody
  responses: Readonly<Record<number, OperationResponse>>
  /** The operation's errors, and the headers of all of them. */
  errors: { style: ErrorStyle; codes: readonly ErrorCode[]; headers: readonly HeaderName[] }
  /** Whether the published contract lacks it (D51). */
  isExtension?: true
}

/** The form of an operation's errors: a sentence of plain text, ApiError, or FormError. */
export type ErrorStyle = 'text' | 'json' | 'described'

/** The groups of operations. */
export const TAGS = {
  Uploads: 'Pictures and covers, alone or into a gallery.',
  Galleries: 'A gallery is unfinished, and nobody sees it, until it is finalized.',
  Management: 'What the private link of a picture, cover or gallery may do.',
  Status: 'What became of pictures.',
  Media: 'The files themselves, on the hosts of originals and thumbnails and by these paths on all.',
  Reading: 'Public pictures and galleries as JSON.',
  Embedding: 'How other sites show a page.',
} as const
/** One of TAGS. */
export type Tag = keyof typeof TAGS

const URLENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data'
const JSON_TYPE = 'application/json'

const idempotencyKey: Parameter = {
  isExtension: true,
  name: 'Idempotency-Key',
  in: 'header',
  description: `A random UUID of your own. For ${IDEMPOTENCY_RESPONSE_LIFETIME_MS / HOUR_MS} hours the same request with the same key gets the first response, and stores nothing twice.`,
  schema: {
    type: 'string',
    // Visible ASCII, bare or as a quoted string.
    pattern: `^(?:[!#-~][!-~]{0,${IDEMPOTENCY_KEY_MAX_CHARACTERS - 1}}|"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,${IDEMPOTENCY_KEY_MAX_CHARACTERS}}")$`,
  },
}
const KEYED: readonly ErrorCode[] = ['invalid_idempotency_key', 'request_in_progress', 'idempotency_key_reused']
/** Errors of operations that read from storage, and of those that write to it. */
const READING: readonly ErrorCode[] = ['storage_unavailable', 'internal_error']
const WRITING: readonly ErrorCode[] = ['storage_full', ...READING]
/** Of those that have a body. */
const BODY: readonly ErrorCode[] = ['malformed_request', 'body_too_slow', 'body_too_large', 'overloaded']
/** Of those that the operator limits. */
const LIMITED: readonly ErrorCode[] = ['client_limit_reached']
/** Of those that need a key where UPLOAD_KEYS is set. */
const UPLOADER: readonly ErrorCode[] = ['upload_key_required']
/** Of those that need a human where Turnstile is set. Holders of a private link need none. */
const HUMAN: readonly ErrorCode[] = ['human_check_required', 'upload_check_unavailable']
/** Of those that store an image. */
const IMAGE: readonly ErrorCode[] = [
  'file_too_large',
  'unsupported_image_format',
  'gallery_full',
  'unreadable_image',
  'image_too_large',
  'blocked_content',
  'upload_denied',
  'upload_check_unavailable',
]
const FORM: readonly ErrorCode[] = [...BODY, 'unsupported_endpoint', 'duplicate_field', 'invalid_option']
const UPLOAD: readonly ErrorCode[] = [
  ...FORM,
  ...UPLOADER,
  'human_check_required',
  ...LIMITED,
  'missing_field',
  ...KEYED,
  'gallery_not_found',
  'upload_token_incorrect',
  'gallery_already_finalized',
  ...IMAGE,
  ...WRITING,
]
/** Of those that change a gallery by its management token. */
const MANAGED: readonly ErrorCode[] = [
  ...FORM,
  'missing_field',
  ...LIMITED,
  'management_token_not_found',
  'content_deleted',
  'operation_not_allowed',
]
const MANAGED_UPLOAD: readonly ErrorCode[] = [...MANAGED, ...UPLOADER, ...KEYED, ...IMAGE, ...WRITING]
const GUEST_UPLOAD: readonly ErrorCode[] = [
  ...FORM,
  'missing_field',
  ...LIMITED,
  ...KEYED,
  'guest_link_not_found',
  'guest_link_closed',
  'guest_link_full',
  ...IMAGE,
  ...WRITING,
]
const OPTIMIZATION = [
  `With \`optimize_for_web=1\` private metadata goes, the picture is set upright, its longest edge is at most ${OPTIMIZED_MAX_EDGE_PX} pixels, and JPEG and PNG become WebP of quality ${OPTIMIZED_WEBP_QUALITY} where that is smaller. GIFs and animations stay as they are, AVIF keeps its pixels. Nothing stored is larger than the upload. Where the optimizer fails, the upload is stored and \`optimization\` is absent.`,
  'Checks come in the order of their price: 400, options (422), size (413), gallery (415, 416, 422), format (414), picture (422).',
]
const TEXT_ERRORS =
  'Errors are one sentence of plain text, since programs written for this API take any JSON body for success: look at the status first. 414, 415 and 416 have meanings of their own here, kept for those programs.'

const mediaTypes = Object.values(FORMATS).map(({ mediaType }) => mediaType)
const THUMBNAIL_TYPES = [FORMATS.webp.mediaType]
const filePath: readonly Parameter[] = [
  {
    name: 'directory',
    in: 'path',
    description: 'The directory of the picture, in digits.',
    schema: { type: 'string', pattern: '^(?:0|[1-9][0-9]*)$' },
  },
  {
    name: 'file',
    in: 'path',
    description: 'Id and name of the picture, as in its show URL.',
    schema: { type: 'string', pattern: '^(?:0|[1-9][0-9]*)_[a-z0-9_-]+\\.(?:jpg|png|gif|webp|avif)$' },
  },
]
const download: Parameter = {
  isExtension: true,
  name: 'download',
  in: 'query',
  description: 'Present, with any value: browsers save the file instead of showing it.',
  schema: { type: 'string' },
}
const range: Parameter = {
  name: 'Range',
  in: 'header',
  description: 'One range of bytes. Anything else returns the whole file.',
  schema: { type: 'string' },
}
const conditions: readonly Parameter[] = ['If-Match', 'If-None-Match', 'If-Modified-Since', 'If-Unmodified-Since'].map(
  (name) => ({
    name,
    in: 'header',
    description: 'A condition (RFC 9110).',
    schema: { type: 'string' },
  }),
)
const ifRange: Parameter = {
  name: 'If-Range',
  in: 'header',
  description: 'The range applies if this is the entity tag or the date of the file.',
  schema: { type: 'string' },
}

const UNCHANGED = { 304: { description: 'The client already has this file.', headers: FILE } }
const CONDITION_FAILED = { 412: { description: 'The condition is false for this file.', headers: REFUSED_FILE } }
const NO_IMAGE: OperationResponse = {
  description: 'The picture does not exist, is deleted, or its gallery is not finalized. Never a placeholder.',
  headers: PRIVATE,
  types: ['text/plain'],
}

const EXPIRED_IMAGE: OperationResponse = { ...NO_IMAGE, description: 'The time of the picture or its gallery is over.' }

const FILE_KINDS = {
  original: {
    Kind: 'Original',
    path: routes.templateOf(routes.original),
    of: 'the stored picture',
    types: mediaTypes,
    text: `The address is that of the thumbnail with \`t1\` replaced by \`img1\` and \`${routes.prefixOf(routes.thumbnail)}\` by \`${routes.prefixOf(routes.original)}\`. Links to the show page last longer.`,
  },
  thumbnail: {
    Kind: 'Thumbnail',
    path: routes.templateOf(routes.thumbnail),
    of: 'the thumbnail',
    types: THUMBNAIL_TYPES,
    text: 'Take the address from `th_url`. Whatever the extension says, a thumbnail is a WebP.',
  },
  preview: {
    Kind: 'Preview',
    path: routes.templateOf(routes.preview),
    of: 'the preview',
    types: mediaTypes,
    text: `The picture at ${PREVIEW_MAX_EDGE_PX} pixels at most and ${PREVIEW_MAX_BYTES / 1000} kB, for pages and link previews: a JPEG, or a WebP if it has transparency. A JPEG, PNG or GIF that is small enough is its own preview. The address is that of the thumbnail with \`${routes.prefixOf(routes.thumbnail)}\` replaced by \`${routes.prefixOf(routes.preview)}\`. Pictures of before previews existed have none.`,
  },
}

/** An operation that changes images of a gallery. */
function galleryChange(
  route: string,
  { id, summary, description, schema }: { id: string; summary: string; description: string; schema: z.ZodType },
): Operation {
  return {
    method: 'post',
    path: routes.templateOf(route),
    id,
    isExtension: true,
    tag: 'Management',
    summary,
    description: [description],
    parameters: [{ name: 'token', in: 'path', description: 'The management token.', schema: managementToken }],
    body: { required: true, types: [URLENCODED, MULTIPART, JSON_TYPE], schema },
    responses: {
      200: { description: 'It is done.', headers: [], json: responseSchema(GALLERY_CHANGE_RESPONSE) },
    },
    errors: { style: 'json', codes: [...MANAGED, 'image_not_in_gallery', ...WRITING], headers: [] },
  }
}

function fileOperations(kind: keyof typeof FILE_KINDS): Operation[] {
  const { Kind, path, of, types, text } = FILE_KINDS[kind]
  const whole: HeaderName[] = [
    ...FILE,
    'Content-Length',
    ...(kind === 'original' ? (['Content-Disposition'] as const) : []),
  ]
  const common = {
    path,
    tag: 'Media',
    ...(kind === 'preview' ? { isExtension: true as const } : {}),
    errors: { style: 'text', codes: READING, headers: [] },
  } as const
  const query = kind === 'original' ? [download] : []
  return [
    {
      ...common,
      method: 'get',
      id: `get${Kind}`,
      summary: `Get ${of}`,
      description: [text],
      parameters: [...filePath, ...query, range, ifRange, ...conditions],
      responses: {
        200: { description: 'The file.', headers: whole, types },
        206: { description: 'The requested range of the file.', headers: [...whole, 'Content-Range'], types },
        ...UNCHANGED,
        404: NO_IMAGE,
        410: EXPIRED_IMAGE,
        ...CONDITION_FAILED,
        416: {
          description: 'The range begins beyond the end of the file.',
          headers: [...REFUSED_FILE, 'Content-Range'],
        },
      },
    },
    {
      ...common,
      method: 'head',
      id: `head${Kind}`,
      summary: `Get the size and type of ${of}`,
      description: ['The headers of the whole file, without its bytes.'],
      parameters: [...filePath, ...query, ...conditions],
      responses: {
        200: { description: 'The headers of the file.', headers: whole },
        ...UNCHANGED,
        404: { description: NO_IMAGE.description, headers: NO_IMAGE.headers },
        410: { description: EXPIRED_IMAGE.description, headers: EXPIRED_IMAGE.headers },
        ...CONDITION_FAILED,
      },
    },
  ]
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The entity tag of an earlier response: 304 if nothing has changed.',
  schema: { type: 'string' },
}

/** An operation that reads a page as JSON. */
function recordOperation(
  {
    id,
    page,
    table,
    ...operation
  }: Pick<Operation, 'id' | 'summary' | 'parameters'> & {
    page: string
    table: ResponseTable
  },
  codes: readonly ErrorCode[] = [],
): Operation {
  return {
    ...operation,
    method: 'get',
    path: routes.jsonOf(routes.templateOf(page)),
    id,
    isExtension: true,
    tag: 'Reading',
    description: [
      `${table.text} The address of the page without \`${routes.jsonOf('')}\` has the same for \`Accept: ${JSON_TYPE}\`; where HTML is as welcome, it has the page. Pages of any origin may read it.`,
    ],
    parameters: [...(operation.parameters ?? []), ifNoneMatch],
    responses: {
      200: { description: 'It is public.', headers: RECORD, json: responseSchema(table) },
      304: { description: 'It is as the client has it.', headers: RECORD },
    },
    errors: { style: 'json', codes: ['content_not_found', 'content_deleted', ...codes, ...READING], headers: CORS },
  }
}

/** Every operation, in the order of the specification, followed by requests that it mentions without details. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: routes.images,
    id: 'uploadImage',
    tag: 'Uploads',
    summary: 'Upload a picture',
    description: [
      'One JPEG, PNG, GIF, WebP or AVIF, alone or into an unfinished gallery.',
      ...OPTIMIZATION,
      TEXT_ERRORS,
    ],
    parameters: [idempotencyKey],
    body: { required: true, types: [MULTIPART], schema: ImageUpload },
    responses: {
      200: {
        description: 'The picture is stored.',
        headers: ['Idempotent-Replayed'],
        json: responseSchema(UPLOAD_RESPONSE),
      },
    },
    errors: { style: 'text', codes: UPLOAD, headers: [] },
  },
  {
    method: 'post',
    path: routes.covers,
    id: 'uploadCover',
    tag: 'Uploads',
    summary: 'Upload a cover',
    description: [
      'Two pictures become one, side by side at the lesser height; the left one alone is stored as a picture would be.',
      ...OPTIMIZATION,
      TEXT_ERRORS,
    ],
    parameters: [idempotencyKey],
    body: { required: true, types: [MULTIPART], schema: CoverUpload },
    responses: {
      200: {
        description: 'The cover is stored.',
        headers: ['Idempotent-Replayed'],
        json: responseSchema(UPLOAD_RESPONSE),
      },
    },
    errors: { style: 'text', codes: UPLOAD, headers: [] },
  },
  {
    method: 'post',
    path: routes.imageStatus,
    id: 'checkImageStatus',
    tag: 'Status',
    summary: 'Ask what became of pictures',
    description: [
      `Up to ${STATUS_MAX_URLS} show URLs, over http or https, on any of the public domains or their www aliases. They are compared as they are: direct image URLs, and any with credentials, a port, a query or a fragment, are \`invalid\`, and do not fail the others.`,
      `The response comes from the records: a copy in a cache may outlive a deleted picture for a while. A body has at most ${STATUS_BODY_MAX_BYTES / KIB} KiB. A client address may ask ${STATUS_RATE_BURST} times at once, and once each ${STATUS_RATE_INTERVAL_MS / SECOND_MS} seconds. 405 counts for nothing, and has neither rate header; to other methods than POST and OPTIONS, no CORS headers are sent.`,
    ],
    body: { required: true, types: [JSON_TYPE], schema: ImageStatusRequest },
    responses: {
      200: {
        description: 'The status of each URL.',
        headers: RATE,
        json: responseSchema(IMAGE_STATUS_RESPONSE),
      },
    },
    errors: {
      style: 'json',
      codes: [
        ...BODY,
        'missing_field',
        'method_not_allowed',
        'unsupported_media_type',
        'invalid_urls',
        'rate_limited',
        ...READING,
      ],
      headers: RATE,
    },
  },
  {
    method: 'post',
    path: routes.galleries,
    id: 'createGallery',
    tag: 'Galleries',
    summary: 'Create a gallery',
    description: [
      'Nobody sees the gallery and its pictures until it is finalized. Without a body it is untitled.',
      `A body has at most ${FORM_BODY_MAX_BYTES / KIB} KiB.`,
    ],
    parameters: [idempotencyKey],
    body: { required: false, types: [URLENCODED, MULTIPART], extensionTypes: [JSON_TYPE], schema: GalleryCreate },
    responses: {
      200: {
        description: 'The gallery is created.',
        headers: ['Idempotent-Replayed'],
        json: responseSchema(GALLERY_CREATE_RESPONSE),
      },
    },
    errors: {
      style: 'json',
      codes: [...FORM, ...UPLOADER, ...HUMAN, ...LIMITED, ...KEYED, 'invalid_gallery_name', ...WRITING],
      headers: [],
    },
  },
  {
    method: 'post',
    path: routes.templateOf(routes.finalizeGallery),
    id: 'finalizeGallery',
    tag: 'Galleries',
    summary: 'Make a gallery public',
    description: [
      'Again with the right token it is 200, and nothing changes. An empty gallery is removed. What is never finalized is so by itself, about a day after it was created.',
      `${TEXT_ERRORS} 417 is a gallery that could not be finalized.`,
    ],
    parameters: [
      { name: 'gallery_hash', in: 'path', description: 'The public identifier of the gallery.', schema: galleryHash },
    ],
    body: { required: true, types: [URLENCODED, MULTIPART], extensionTypes: [JSON_TYPE], schema: GalleryFinalize },
    responses: { 200: { description: 'The gallery is public. The body is empty.', headers: [] } },
    errors: {
      style: 'text',
      codes: [
        ...FORM,
        'missing_field',
        ...LIMITED,
        'gallery_not_found',
        'upload_token_incorrect',
        'gallery_not_finalizable',
        ...WRITING,
      ],
      headers: [],
    },
  },
  {
    method: 'post',
    path: routes.templateOf(routes.renameContent),
    id: 'renameManagedGallery',
    tag: 'Management',
    summary: 'Rename a gallery',
    description: [
      'Its address stays. The token of a picture or cover cannot rename. The token is judged before the body.',
    ],
    parameters: [{ name: 'token', in: 'path', description: 'The management token.', schema: managementToken }],
    body: { required: true, types: [URLENCODED, MULTIPART, JSON_TYPE], schema: GalleryRenameRequest },
    responses: {
      200: { description: 'The gallery has its new name.', headers: [], json: responseSchema(GALLERY_RENAME_RESPONSE) },
    },
    errors: {
      style: 'json',
      codes: [
        ...FORM,
        'missing_field',
        ...LIMITED,
        'management_token_not_found',
        'content_deleted',
        'operation_not_allowed',
        'invalid_gallery_name',
        ...WRITING,
      ],
      headers: [],
    },
  },
  {
    method: 'post',
    path: routes.templateOf(routes.deleteContent),
    id: 'deleteManagedResource',
    tag: 'Management',
    summary: 'Delete a picture, a cover or a gallery with all its pictures',
    description: [
      'It cannot be undone. The token is revoked. Of several deletes at once exactly one gets 200, the others 410.',
    ],
    parameters: [
      { name: 'token', in: 'path', description: 'The management token.', schema: managementToken },
      idempotencyKey,
    ],
    responses: {
      200: { description: 'It is deleted.', headers: ['Idempotent-Replayed'], json: responseSchema(DELETE_RESPONSE) },
    },
    errors: {
      style: 'json',
      codes: [
        'unsupported_endpoint',
        ...LIMITED,
        ...KEYED,
        'management_token_not_found',
        'content_deleted',
        ...WRITING,
      ],
      headers: [],
    },
  },
  {
    method: 'post',
    path: routes.templateOf(routes.addImage),
    id: 'addManagedImage',
    isExtension: true,
    tag: 'Management',
    summary: 'Add a picture to a gallery',
    description: [
      'The gallery may be finalized. Its address and those of its pictures stay. The picture comes last, unless it has a position.',
    ],
    parameters: [
      { name: 'token', in: 'path', description: 'The management token of a gallery.', schema: managementToken },
      idempotencyKey,
    ],
    body: { required: true, types: [MULTIPART], schema: ManagedImageUpload },
    responses: {
      200: {
        description: 'The picture is stored.',
        headers: ['Idempotent-Replayed'],
        json: responseSchema(UPLOAD_RESPONSE),
      },
    },
    errors: { style: 'json', codes: MANAGED_UPLOAD, headers: [] },
  },
  galleryChange(routes.removeImages, {
    id: 'removeManagedImages',
    summary: 'Remove pictures of a gallery',
    description: 'Either all are removed or none. Those that are removed already are no error, so a retry is safe.',
    schema: ImagesRemoval,
  }),
  galleryChange(routes.orderImages, {
    id: 'orderManagedImages',
    summary: 'Move pictures of a gallery',
    description:
      'The listed pictures are moved, in this order, before or after another one, or to the beginning. So a list of all pictures is their order. Deleted ones are left out. A retry is safe.',
    schema: ImagesOrder,
  }),
  galleryChange(routes.chooseCover, {
    id: 'chooseManagedCover',
    summary: 'Choose the cover image of a gallery',
    description: 'Link previews of the gallery show it. It stays in its place. A retry is safe.',
    schema: CoverImageChoice,
  }),
  {
    ...galleryChange(routes.editImage, {
      id: 'editManagedImage',
      summary: 'Edit the caption and the alternative text of a picture',
      description: 'A text that is not sent stays, and an empty one is erased. A retry is safe.',
      schema: ImageEdit,
    }),
    responses: {
      200: { description: 'The texts are stored.', headers: [], json: responseSchema(IMAGE_EDIT_RESPONSE) },
    },
  },
  {
    method: 'post',
    path: routes.templateOf(routes.createGuests),
    id: 'createGuestLink',
    isExtension: true,
    tag: 'Management',
    summary: 'Make a guest link',
    description: [
      'By this link others add pictures to the gallery, without its management token. They can change and delete nothing. A gallery has one: a new one replaces it.',
    ],
    parameters: [
      { name: 'token', in: 'path', description: 'The management token of a gallery.', schema: managementToken },
    ],
    body: { required: false, types: [URLENCODED, MULTIPART, JSON_TYPE], schema: GuestLinkRequest },
    responses: { 200: { description: 'The link is open.', headers: [], json: responseSchema(GUEST_LINK_RESPONSE) } },
    errors: {
      style: 'json',
      codes: [...MANAGED.filter((code) => code !== 'missing_field'), ...WRITING],
      headers: [],
    },
  },
  {
    method: 'post',
    path: routes.templateOf(routes.closeGuests),
    id: 'closeGuestLink',
    isExtension: true,
    tag: 'Management',
    summary: 'Close the guest link',
    description: ['Uploads by it are 410 from then on. Without an open link nothing changes. A retry is safe.'],
    parameters: [
      { name: 'token', in: 'path', description: 'The management token of a gallery.', schema: managementToken },
    ],
    responses: { 200: { description: 'No link is open.', headers: [], json: responseSchema(GUEST_CLOSE_RESPONSE) } },
    errors: {
      style: 'json',
      codes: [
        'unsupported_endpoint',
        ...LIMITED,
        'management_token_not_found',
        'content_deleted',
        'operation_not_allowed',
        ...WRITING,
      ],
      headers: [],
    },
  },
  {
    method: 'post',
    path: routes.templateOf(routes.guestImages),
    id: 'uploadGuestImage',
    isExtension: true,
    tag: 'Uploads',
    summary: 'Upload a picture as a guest of a gallery',
    description: [
      'Of guests at once exactly as many succeed as the link allows. A refused upload counts for nothing. The link is the permission: no key of an uploader is needed.',
      TEXT_ERRORS,
    ],
    parameters: [
      { name: 'token', in: 'path', description: 'The token of the guest link.', schema: guestToken },
      idempotencyKey,
    ],
    body: { required: true, types: [MULTIPART], schema: GuestImageUpload },
    responses: {
      200: {
        description: 'The picture is stored.',
        headers: ['Idempotent-Replayed'],
        json: responseSchema(UPLOAD_RESPONSE),
      },
    },
    errors: { style: 'text', codes: GUEST_UPLOAD, headers: [] },
  },
  ...fileOperations('original'),
  ...fileOperations('thumbnail'),
  ...fileOperations('preview'),
  {
    method: 'post',
    path: routes.newUpload,
    id: 'uploadNewImage',
    isExtension: true,
    tag: 'Uploads',
    summary: 'Upload a picture by the form of the published service',
    description: [
      `For programs that send the form of the published service's own page. It does what \`POST ${routes.images}\` does, with other names. New programs use that.`,
    ],
    parameters: [idempotencyKey],
    body: { required: true, types: [MULTIPART], schema: NewUpload },
    responses: {
      200: {
        description: 'The picture is stored.',
        headers: ['Idempotent-Replayed'],
        json: responseSchema(UPLOAD_RESPONSE),
      },
    },
    errors: { style: 'described', codes: UPLOAD, headers: [] },
  },
  recordOperation({
    id: 'getImage',
    page: routes.show,
    table: IMAGE_RECORD,
    summary: 'Get a picture as JSON',
    parameters: filePath,
  }),
  recordOperation(
    {
      id: 'getGallery',
      page: routes.gallery,
      table: GALLERY_RECORD,
      summary: `Get a gallery as JSON, ${GALLERY_PAGE_IMAGES} pictures at a time`,
      parameters: [
        { name: 'gallery_hash', in: 'path', description: 'The public identifier of the gallery.', schema: galleryHash },
        {
          name: 'after',
          in: 'query',
          description: 'The cursor in `next`, which leaves out no picture when others are deleted meanwhile.',
          schema: { type: 'integer', minimum: 0 },
        },
      ],
    },
    ['invalid_option'],
  ),
  {
    method: 'get',
    path: routes.oembed,
    id: 'getOembed',
    isExtension: true,
    tag: 'Embedding',
    summary: 'Ask how to embed a page',
    description: ['oEmbed 1.0. A picture is a photo in the largest file that fits, an NSFW one or a gallery a link.'],
    parameters: [
      {
        name: 'url',
        in: 'query',
        description: 'The address of a picture page or gallery. Required.',
        schema: { type: 'string', format: 'uri' },
      },
      {
        name: 'maxwidth',
        in: 'query',
        description: 'The width of the box, in pixels.',
        schema: { type: 'integer', minimum: 1 },
      },
      {
        name: 'maxheight',
        in: 'query',
        description: 'The height of the box, in pixels.',
        schema: { type: 'integer', minimum: 1 },
      },
      {
        name: 'format',
        in: 'query',
        description: 'The form of the response. Default: json.',
        schema: { type: 'string', enum: ['json', 'xml'] },
      },
    ],
    responses: {
      200: {
        description: 'How to embed it.',
        headers: ['Access-Control-Allow-Origin', 'Cache-Control: no-cache', 'Vary'],
        json: Oembed,
        types: ['text/xml'],
      },
    },
    errors: {
      style: 'json',
      codes: [
        'missing_field',
        'malformed_request',
        'content_not_found',
        'content_deleted',
        'invalid_option',
        'unsupported_format',
        ...READING,
      ],
      headers: ['Access-Control-Allow-Origin'],
    },
  },
]

/** The preflight request of browsers: `OPTIONS` of any path that supports POST. */
export const PREFLIGHT: OperationResponse = {
  description: 'A page of any origin may POST here.',
  headers: [
    ...CORS,
    ...PRIVATE,
    'Access-Control-Allow-Methods',
    'Access-Control-Allow-Headers',
    'Access-Control-Max-Age',
  ],
}
