/** Every path of the service, as Hono matches it: `:name` is a parameter. All others are written with the functions below. */

// The API (the specification's "Endpoints").
/** Uploads one image. */
export const images = '/images'
/** Uploads a cover. */
export const covers = '/covers'
/** Uploads one image, by the address of the published service's own form (an extension). */
export const newUpload = '/new-upload/'
/** Returns the status of show URLs. */
export const imageStatus = '/images/status'
/** Creates a gallery. */
export const galleries = '/galleries'
/** Finalizes a gallery. */
export const finalizeGallery = '/galleries/:gallery_hash/finalize'
/** Renames the gallery that a management token is for. */
export const renameContent = '/management/:token/rename'
/** Adds an image to the gallery that a management token is for (an extension, like the four that follow). */
export const addImage = '/management/:token/images'
/** Removes images of that gallery. */
export const removeImages = '/management/:token/remove'
/** Moves images of that gallery. */
export const orderImages = '/management/:token/order'
/** Chooses the cover image of that gallery. */
export const chooseCover = '/management/:token/cover'
/** Edits the caption and the alternative text of an image. */
export const editImage = '/management/:token/edit'
/** Deletes the content that a management token is for. */
export const deleteContent = '/management/:token/delete'
/** Makes the guest link of a gallery (an extension). */
export const createGuests = '/management/:token/guests'
/** Closes it (an extension). */
export const closeGuests = '/management/:token/guests/close'
/** Uploads one image of a guest (an extension). */
export const guestImages = '/guests/:token/images'
/** The OpenAPI document. */
export const openApi = '/openapi.json'
/** The OpenAPI document in YAML. */
export const openApiYaml = '/openapi.yaml'
/** Where the descriptions of the API are (RFC 9727). */
export const apiCatalog = '/.well-known/api-catalog'

// Media and pages (D7). `:file` is `<id>_<name>`.
/** An original file. */
export const original = '/images/:directory/:file'
/** A thumbnail. */
export const thumbnail = '/thumbs/:directory/:file'
/** A preview: the image at some 1280 pixels. */
export const preview = '/previews/:directory/:file'
/** The page of an image. */
export const show = '/show/:directory/:file'
/** The page of a gallery. */
export const gallery = '/gallery/:gallery_hash'
/** The codes to embed the images of a gallery. */
export const galleryCodes = '/gallery/:gallery_hash/codes'
/** The originals of a gallery in one ZIP file (D45). */
export const galleryDownload = '/gallery/:gallery_hash/download'
/** The page of a management token: what it is for, to be renamed or deleted. */
export const manage = '/manage/:token'
/** Where the form of that page goes that adds an image to a gallery. */
export const manageImages = '/manage/:token/images'
/** The page that a guest link opens: adds images to a gallery. */
export const addImages = '/add/:token'
/** The upload page. */
export const home = '/'
/** Where the form of the home page goes when there is no script. */
export const uploadForm = '/upload'
/** Where a phone's share sheet sends images. */
export const share = '/share'
/** Exchanges a token of Turnstile for a pass. */
export const human = '/human'
/** The service worker that takes them to the upload page, before they are sent. */
export const shareWorker = '/share-worker.js'
/** Uploads of this device. */
export const uploads = '/uploads'
/** The form to report content. */
export const report = '/report'
/** Documentation of the API. */
export const quickStart = '/docs'
/** Every operation of the API. */
export const reference = '/docs/reference'
/** Every error code. */
export const errors = '/docs/errors'
/** A style, script or icon of the pages. */
export const asset = '/assets/:file'

// For other programs.
/** Embedding of a public page, for programs (oEmbed). */
export const oembed = '/oembed'
/** The settings below, explained. */
export const tools = '/tools'
/** The script that puts a button beside the editors of other sites. */
export const embedScript = '/embed.js'
/** The documentation, for language models. */
export const llmsTxt = '/llms.txt'
/** The icon, for programs that look for it there. */
export const favicon = '/favicon.ico'
/** Settings of ShareX. */
export const shareX = '/sharex.sxcu'
/** Settings of PicGo. */
export const picGo = '/picgo.json'
/** A script for Flameshot. */
export const flameshot = '/flameshot.sh'
/** A collection for Postman. */
export const postman = '/postman.json'
/** The manifest of the installed page. */
export const manifest = '/manifest.webmanifest'
/** Rules for crawlers (RFC 9309). */
export const robotsTxt = '/robots.txt'
/** The contact for security problems (RFC 9116). */
export const securityTxt = '/.well-known/security.txt'

/** Whether the service works, for programs that watch it. */
export const health = '/healthz'

// The operator's, all below one prefix.
/** Prefix of the operator's paths. */
export const OPERATOR_PREFIX = '/operator/'
/** Lists the open reports. */
export const openReports = `${OPERATOR_PREFIX}reports`
/** Deletes content that was reported. */
export const removeReported = `${OPERATOR_PREFIX}remove`
/** Closes the reports about content that stays. */
export const dismissReports = `${OPERATOR_PREFIX}dismiss`
/** Compares some of the files with the records. */
export const reconcileFiles = `${OPERATOR_PREFIX}reconcile`
/** Makes previews of images that have none. */
export const makePreviews = `${OPERATOR_PREFIX}previews`
/** Lists the open reports about content. */
export const reportsOf = `${OPERATOR_PREFIX}show`
/** Makes content not public. */
export const hideContent = `${OPERATOR_PREFIX}hide`
/** Makes it public again. */
export const unhideContent = `${OPERATOR_PREFIX}unhide`
/** Lists what is hidden. */
export const hiddenContent = `${OPERATOR_PREFIX}hidden`
/** Unblocks images. */
export const unblockContent = `${OPERATOR_PREFIX}unblock`
/** Lists what is blocked. */
export const blocks = `${OPERATOR_PREFIX}blocks`
/** Lists the imported block lists. */
export const blockLists = `${OPERATOR_PREFIX}block-lists`
/** Adds entries to a block list. */
export const importBlocks = `${OPERATOR_PREFIX}import`
/** Removes a block list. */
export const withdrawBlocks = `${OPERATOR_PREFIX}withdraw`
/** Exports blocks. */
export const exportBlocks = `${OPERATOR_PREFIX}export`
/** Lists what operators decided. */
export const audit = `${OPERATOR_PREFIX}audit`
/** Metrics for Prometheus. */
export const metrics = `${OPERATOR_PREFIX}metrics`

/** The names of the parameters of a route. */
type ParameterOf<Route extends string> = Route extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Route extends `${string}:${infer Name}`
    ? Name
    : never

/** The name of a parameter of any route. */
export type Parameter = ParameterOf<typeof original | typeof gallery | typeof manage>

/** The path of a route with these parameters, which are put in as they are. */
export function pathOf<Route extends string>(route: Route, parameters: Record<ParameterOf<Route>, string>): string {
  return Object.entries<string>(parameters).reduce(
    (path, [name, value]) => path.replace(`:${name}`, () => value),
    String(route),
  )
}

/** Returns the part of a route before its parameters, with the slash: `/show/`. */
export function prefixOf(route: string): string {
  return route.replace(/:.*$/, '')
}

/** Returns the address or path of a page of an image or a gallery as JSON. */
export function jsonOf(page: string): string {
  return `${page}.json`
}

/** A route as OpenAPI writes it: `/galleries/{gallery_hash}/finalize`. */
export function templateOf(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}')
}
