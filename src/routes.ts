/** Every path of the service, as Hono matches it: `:name` is a parameter. All others are written with the functions below. */

// The API (the specification's "Endpoints").
export const images = '/images'
export const covers = '/covers'
export const imageStatus = '/images/status'
export const galleries = '/galleries'
export const finalizeGallery = '/galleries/:gallery_hash/finalize'
/** With a management token, as the next one. */
export const renameContent = '/management/:token/rename'
export const deleteContent = '/management/:token/delete'
export const openApi = '/openapi.json'

// Media and pages (D7). `:file` is `<id>_<name>`.
export const original = '/images/:directory/:file'
export const thumbnail = '/thumbs/:directory/:file'
export const show = '/show/:directory/:file'
export const gallery = '/gallery/:gallery_hash'
export const galleryCodes = '/gallery/:gallery_hash/codes'
export const galleryDownload = '/gallery/:gallery_hash/download'
export const manage = '/manage/:token'
export const home = '/'
/** Where the form of the home page goes when there is no script. */
export const uploadForm = '/upload'
export const report = '/report'
export const quickStart = '/docs'
export const reference = '/docs/reference'
export const errors = '/docs/errors'
export const asset = '/assets/:file'

// What other programs are told.
export const oembed = '/oembed'
export const tools = '/tools'
export const shareX = '/sharex.sxcu'
export const picGo = '/picgo.json'
export const flameshot = '/flameshot.sh'
export const postman = '/postman.json'
export const manifest = '/manifest.webmanifest'
export const robotsTxt = '/robots.txt'
export const securityTxt = '/.well-known/security.txt'

// The operator's, all below one prefix.
export const OPERATOR_PREFIX = '/operator/'
export const openReports = `${OPERATOR_PREFIX}reports`
export const removeReported = `${OPERATOR_PREFIX}remove`
export const dismissReports = `${OPERATOR_PREFIX}dismiss`
export const reconcileFiles = `${OPERATOR_PREFIX}reconcile`

/** The names of the parameters of a route. */
export type ParameterOf<Route extends string> = Route extends `${string}:${infer Name}/${infer Rest}`
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

/** What stands before the parameters of a route, with the slash: `/show/`. */
export function prefixOf(route: string): string {
  return route.replace(/:.*$/, '')
}

/** A route as OpenAPI writes it: `/galleries/{gallery_hash}/finalize`. */
export function templateOf(route: string): string {
  return route.replace(/:(\w+)/g, '{$1}')
}
