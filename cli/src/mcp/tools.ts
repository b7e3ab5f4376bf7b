import { realpath } from 'node:fs/promises'
import path from 'node:path'
import {
  EXPIRY_MAX_S,
  EXPIRY_MIN_S,
  GALLERY_NAME_MAX_CHARACTERS,
  STATUS_MAX_URLS,
  THUMBNAIL_MAX_SIZE_PX,
  THUMBNAIL_MIN_SIZE_PX,
} from '../../../src/limits.ts'
import { originalOf } from '../../../src/pages/shell/codes.ts'
import { findImage, type Image, judgeContent, STANDARD_INPUT } from '../files/images.ts'
import { createRecorder, entryOf, type Recorder } from '../history.ts'
import { DEFAULT_NAME, MCP_GALLERY_MAX_IMAGES, MCP_TEXT_MAX_CHARACTERS } from '../limits.ts'
import { readListing, readSource } from '../listing.ts'
import { readManagementLink, withoutTokens } from '../management-link.ts'
import { RequestFailed, UsageError } from '../problems.ts'
import { type Api, apiAt, requireSuccess, statusBatches } from '../requests/api.ts'
import { send } from '../requests/http.ts'
import type { Gallery, Upload } from '../requests/responses.ts'
import type { Session } from '../session.ts'
import type { McpInvocation } from '../terminal/arguments.ts'
import { expiryTexts, formFile, NO_EXPIRY } from '../upload-form.ts'
import { INVALID_PARAMS, ProtocolError, type Run, type Tools } from './protocol.ts'
import { type ObjectSchema, objectSchema, type PropertySchema, problemOf } from './schema.ts'

type Arguments = Readonly<Record<string, unknown>>

/** The surroundings of a tool. */
interface Context extends Run {
  api: Api
  invocation: McpInvocation
  session: Session
  recorder: Recorder
  /** The resolved folder whose files may be read; undefined for all. */
  root: string | undefined
}

interface Tool {
  title: string
  description: string
  schema: ObjectSchema
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean }
  run: (args: Arguments, context: Context) => Promise<object>
}

const text = (description: string): PropertySchema => ({
  type: 'string',
  description,
  maxLength: MCP_TEXT_MAX_CHARACTERS,
})
const flag = (description: string): PropertySchema => ({ type: 'boolean', description })

const SOURCE = {
  path: text('The file on this computer. Either path or data is required.'),
  data: { type: 'string', description: 'The bytes of the image in base64, instead of path.' },
} satisfies Record<string, PropertySchema>

const NAME = text('The file name that people see. Default: that of path.')

const OPTIONS = {
  adult: flag('Whether it is not safe for work.'),
  optimize: flag('Whether the host may remove metadata and choose a smaller file.'),
  thumbnail: {
    type: 'integer',
    minimum: THUMBNAIL_MIN_SIZE_PX,
    maximum: THUMBNAIL_MAX_SIZE_PX,
    description: 'Longest side of the thumbnail in pixels.',
  },
  expires_in: {
    type: 'integer',
    minimum: EXPIRY_MIN_S,
    maximum: EXPIRY_MAX_S,
    description: 'Seconds after which the host deletes it. Absent: it stays, unless the host says otherwise.',
  },
  private_link: flag('Whether to return manage_url, by which anybody can delete it. It cannot be had later.'),
} satisfies Record<string, PropertySchema>

const MANAGE_URL = text('The manage_url of an upload.')

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true }
const CHANGES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true }

const TOOLS: Readonly<Record<string, Tool>> = {
  upload_image: {
    title: 'Upload an image',
    description:
      'Uploads one JPEG, PNG, GIF, WebP or AVIF file of up to 10 MB to the image host, where it is public. Returns the link of its page to share (show_url), of its thumbnail and of its original.',
    schema: objectSchema({ ...SOURCE, name: NAME, ...OPTIONS }),
    annotations: ADDS,
    run: async (args, context) => {
      const image = await requireImage(args, context)
      return { ...(await uploadOne(image, args, context)), ...whatWasRead(image) }
    },
  },
  upload_gallery: {
    title: 'Upload a gallery',
    description:
      'Creates a public gallery of several images in their order. If an image is refused, the gallery is made of the others, and failed lists it.',
    schema: objectSchema(
      {
        name: {
          type: 'string',
          description: 'The name of the gallery. Default: untitled.',
          maxLength: GALLERY_NAME_MAX_CHARACTERS,
        },
        images: {
          type: 'array',
          description: 'The images in their order.',
          items: objectSchema({ ...SOURCE, name: NAME }),
          minItems: 1,
          maxItems: MCP_GALLERY_MAX_IMAGES,
        },
        ...OPTIONS,
      },
      'images',
    ),
    annotations: ADDS,
    run: uploadGallery,
  },
  read_gallery: {
    title: 'List a gallery',
    description:
      'Lists the images of a public gallery with their names, sizes and links: a page, and the address of the next one.',
    schema: objectSchema({ url: text('The link of the gallery, or next of an earlier result.') }, 'url'),
    annotations: READS,
    run: readGallery,
  },
  image_status: {
    title: 'Check images',
    description:
      'Tells of pages of images (show_url) whether each is available, deleted, not_found, pending or invalid.',
    schema: objectSchema(
      {
        urls: {
          type: 'array',
          description: 'Links.',
          items: text('A show_url.'),
          minItems: 1,
          maxItems: STATUS_MAX_URLS,
        },
      },
      'urls',
    ),
    annotations: READS,
    run: async ({ urls }, { api }) => {
      const results: object[] = []
      for (const batch of statusBatches(textsOf(urls))) results.push(...(await api.status(batch)))
      return { results }
    },
  },
  rename_gallery: {
    title: 'Rename a gallery',
    description: 'Renames a gallery by its private link. Its address stays.',
    schema: objectSchema({ manage_url: MANAGE_URL, name: text('The new name; empty for none.') }, 'manage_url', 'name'),
    annotations: { ...CHANGES, destructiveHint: false },
    run: async (args, { api, invocation }) => {
      const { name, url } = await api.rename(tokenIn(args, invocation), textOf(args.name) ?? '')
      return { gallery_name: name, gallery_url: url }
    },
  },
  delete: {
    title: 'Delete an upload',
    description: 'Deletes an image, or a gallery with all its images, by its private link, for good.',
    schema: objectSchema({ manage_url: MANAGE_URL }, 'manage_url'),
    annotations: CHANGES,
    run: async (args, { api, invocation }) => {
      const type = await api.remove(tokenIn(args, invocation))
      return { deleted: true, resource_type: type ?? 'unknown: an earlier attempt deleted it' }
    },
  },
}

/** Creates the tools of a server. Throws `UsageError` if its folder does not exist. */
export async function createTools(invocation: McpInvocation, session: Session): Promise<Tools> {
  const root = invocation.root === undefined ? undefined : await requireFolder(invocation.root)
  const recorder = createRecorder(invocation.history, invocation.historyFile, session.screen.problem)
  const { host, uploadKey } = invocation
  return {
    instructions: `Uploads images to ${host}. Everybody who has a link can see the image. Keep manage_url secret.`,
    list: Object.entries(TOOLS).map(([name, { title, description, schema, annotations }]) => ({
      name,
      title,
      description,
      inputSchema: schema,
      annotations,
    })),
    call: async (name, args, run) => {
      const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
      if (tool === undefined) throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${name}`)
      const problem = problemOf(args, tool.schema, 'arguments')
      if (problem !== undefined) return failed(problem)
      const api = apiAt(host, session.retrierOf(host), run.signal, uploadKey)
      try {
        return succeeded(await tool.run(args, { ...run, api, invocation, session, recorder, root }))
      } catch (error) {
        if (error instanceof RequestFailed || error instanceof UsageError) return failed(withoutTokens(error.message))
        throw error
      }
    },
  }
}

function succeeded(result: object): object {
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result, isError: false }
}

/** A failure that a model can read and react to. */
function failed(sentence: string): object {
  return { content: [{ type: 'text', text: sentence }], isError: true }
}

async function requireFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder)
  } catch {
    throw new UsageError(`--root must be a folder: "${folder}" is not there`)
  }
}

/** An image to upload, under a name. */
interface Named {
  image: Image
  name: string
}

/** Reads the file that a caller names, or decodes its bytes. Throws `RequestFailed` if it is no image. */
async function requireImage({ path: file, data, name }: Arguments, { root }: Context): Promise<Named> {
  const [typed, encoded] = [textOf(file), textOf(data)]
  if ((typed === undefined) === (encoded === undefined)) throw new RequestFailed('either path or data is required')
  const shown = typed ?? 'data'
  const image =
    typed === undefined ? judgeContent(decodeBase64(encoded ?? '')) : await findImage(await resolved(typed, root))
  if ('why' in image) throw new RequestFailed(`${shown}: ${image.why}`)
  return { image, name: textOf(name) ?? (typed === undefined ? DEFAULT_NAME : path.basename(typed)) }
}

/** The path without links, so that none leads out of the folder. */
async function resolved(file: string, root: string | undefined): Promise<string> {
  const absolute = path.resolve(root ?? '.', file)
  const real = await realpath(absolute).catch(() => undefined)
  if (root === undefined) return real ?? absolute
  const within = path.relative(root, real ?? absolute)
  if (within === '..' || within.startsWith(`..${path.sep}`) || path.isAbsolute(within)) {
    throw new RequestFailed(`${file}: files outside of ${root} are not read (--root)`)
  }
  return real ?? absolute
}

function decodeBase64(data: string): Uint8Array {
  const encoded = data.replace(/^data:[^,]{0,100};base64,/, '')
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(encoded)) throw new RequestFailed('data must be base64')
  return Buffer.from(encoded, 'base64')
}

function whatWasRead({ image: { path: file, bytes } }: Named): object {
  return { ...(file !== STANDARD_INPUT && { file }), bytes }
}

/** Uploads one image and records it. `gallery` is the one to upload it into. */
async function uploadOne(
  { image, name }: Named,
  args: Arguments,
  { api, invocation, recorder }: Context,
  gallery?: Gallery,
): Promise<object> {
  const thumbnail = typeof args.thumbnail === 'number' ? args.thumbnail : invocation.thumbnailPx
  const isPrivate = args.private_link === true
  const upload = await api.uploadImage(
    {
      content_type: (args.adult ?? invocation.adult) === true ? '1' : '0',
      ...((args.optimize ?? invocation.optimize) === true && { optimize_for_web: '1' }),
      ...(thumbnail !== undefined && { max_th_size: String(thumbnail) }),
      ...(gallery && { gallery_hash: gallery.hash, gallery_upload_hash: gallery.uploadToken }),
      ...(!gallery && wantsLink(isPrivate, invocation) && { include_manage_url: '1' }),
      ...(!gallery && expiryTexts(expiryOf(args, invocation))),
    },
    [await formFile('img', image, name)],
  )
  const file = image.path === STANDARD_INPUT ? undefined : image.path
  const inGallery = gallery && { galleryUrl: gallery.url, expiresAt: gallery.expiresAt }
  recorder.record({ ...entryOf(upload), kind: 'image', file, ...inGallery })
  return { ...linksOf(upload, isPrivate), ...(!gallery && whenItExpires(upload, expiryOf(args, invocation))) }
}

function linksOf({ name, showUrl, thumbnailUrl, manageUrl, fields }: Upload, isPrivate: boolean): object {
  return {
    name,
    show_url: showUrl,
    image_url: originalOf(thumbnailUrl),
    th_url: thumbnailUrl,
    ...(isPrivate && manageUrl !== undefined && { manage_url: manageUrl }),
    ...(fields.optimization !== undefined && { optimization: fields.optimization }),
  }
}

function expiryOf({ expires_in: seconds }: Arguments, { expiresInS }: McpInvocation): number | undefined {
  return typeof seconds === 'number' ? seconds : expiresInS
}

/** When the host deletes an upload. A host that does not know the field ignores it. */
function whenItExpires({ expiresAt }: { expiresAt?: string | undefined }, expiresInS: number | undefined): object {
  if (expiresAt !== undefined) return { expires_at: expiresAt }
  return expiresInS === undefined ? {} : { warning: NO_EXPIRY }
}

function wantsLink(isPrivate: boolean, { history }: McpInvocation): boolean {
  return isPrivate || history === 'private'
}

async function uploadGallery(args: Arguments, context: Context): Promise<object> {
  const { api, invocation, recorder, progress } = context
  const isPrivate = args.private_link === true
  const sources: unknown[] = Array.isArray(args.images) ? args.images : []
  // All files are read before the gallery exists, so that a wrong path creates none.
  const images: Named[] = []
  for (const source of sources) images.push(await requireImage(isArguments(source) ? source : {}, context))
  const texts = {
    gallery_name: textOf(args.name) ?? '',
    ...(wantsLink(isPrivate, invocation) && { include_manage_url: '1' }),
    ...expiryTexts(expiryOf(args, invocation)),
  }
  const gallery = await api.createGallery(texts)
  recorder.record({ kind: 'gallery', ...gallery })
  const uploaded: object[] = []
  const refused: object[] = []
  // One by one, because a gallery shows images in the order in which they arrive.
  for (const [index, named] of images.entries()) {
    try {
      uploaded.push({ ...(await uploadOne(named, args, context, gallery)), ...whatWasRead(named) })
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error
      refused.push({ image: index + 1, name: named.name, message: error.message })
    }
    progress(index + 1, images.length)
  }
  await api.finalize(gallery)
  if (uploaded.length === 0) throw new RequestFailed(`no image was uploaded: ${JSON.stringify(refused)}`)
  return {
    gallery_url: gallery.url,
    gallery_name: gallery.name,
    ...(isPrivate && gallery.manageUrl !== undefined && { manage_url: gallery.manageUrl }),
    ...whenItExpires(gallery, expiryOf(args, invocation)),
    images: uploaded,
    failed: refused,
  }
}

/** Requests go to the host alone: of a link, only the path counts. */
async function readGallery(args: Arguments, { invocation, session, signal }: Context): Promise<object> {
  const source = readSource(textOf(args.url) ?? '')
  if (source.kind !== 'gallery') throw new RequestFailed('url must be the link of a gallery')
  const url = new URL(source.url.pathname + source.url.search, invocation.host)
  const headers = { Accept: 'application/json', 'User-Agent': 'tintype-cli' }
  const response = await session.retrierOf(invocation.host).persist(() => send({ url, headers }, signal))
  const { name, images, next } = readListing(requireSuccess(response), { ...source, url })
  return {
    gallery_name: name,
    images: images.map((image) => ({
      name: image.name,
      show_url: image.pageUrl,
      image_url: image.url,
      bytes: image.bytes,
      media_type: image.mediaType,
    })),
    ...(next !== undefined && { next }),
  }
}

/** The token of a link, which is sent to the host alone. */
function tokenIn(args: Arguments, { host }: McpInvocation): string {
  return readManagementLink(textOf(args.manage_url) ?? '', 'manage_url', { host, hostNamed: true }).token
}

function isArguments(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
