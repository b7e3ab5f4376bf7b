import { FORMATS } from 'tintype-codec/interface'
import { ASSETS } from '#generated/assets.ts'
import { apiCatalog } from '../../integrations/api-catalog.ts'
import { flameshotScript } from '../../integrations/flameshot.ts'
import { llmsTxt } from '../../integrations/llms-txt.ts'
import { webAppManifest } from '../../integrations/manifest.ts'
import { picGoSettings, webUploader } from '../../integrations/picgo.ts'
import { postmanCollection } from '../../integrations/postman.ts'
import { robotsTxt } from '../../integrations/robots-txt.ts'
import { securityTxt } from '../../integrations/security-txt.ts'
import { KEY_HEADER, shareXUploader } from '../../integrations/sharex.ts'
import { toolsPage } from '../../pages/docs/tools-page.tsx'
import type { CodeFormat } from '../../pages/shell/codes.ts'
import { SITE_NAME } from '../../pages/shell/document.tsx'
import { messagesIn } from '../../pages/shell/messages.ts'
import { nowMs } from '../../time.ts'
import type { AppContext } from '../context.ts'
import { needsUploadKey } from '../middleware/upload-keys.ts'
import { languageOf, page, siteOf } from '../responses/page-response.ts'
import { text } from '../responses/text.ts'
import { staticText } from '../static-asset.ts'
import { assetResponse } from './assets.ts'

const JSON_TYPE = 'application/json; charset=UTF-8'
const TEXT_TYPE = 'text/plain; charset=UTF-8'

/** `GET /tools`: explains how to use the settings below. */
export async function serveToolsPage(c: AppContext): Promise<Response> {
  const origin = originOf(c)
  const script = await staticText(c, ASSETS.embed.path)
  return page(c, 200, (context) =>
    toolsPage({
      context,
      origin,
      webUploader: webUploader(origin, needsUploadKey(c)),
      keyHeader: needsUploadKey(c) ? `Authorization: ${KEY_HEADER.Authorization}` : undefined,
      bookmarklet: (format) => bookmarklet(script, origin, format),
    }),
  )
}

/** A bookmark that opens the upload page at `origin` for the text field of any page. */
function bookmarklet(script: string, origin: string, format: CodeFormat): string {
  return `javascript:${encodeURIComponent(script.replaceAll('{origin}', origin).replaceAll('{format}', format))}`
}

/** `GET /sharex.sxcu`: a custom uploader of ShareX. */
export function serveShareXUploader(c: AppContext): Response {
  return text(c, shareXUploader(originOf(c), needsUploadKey(c)), JSON_TYPE, { headers: fileName(c, '.sxcu') })
}

/** `GET /picgo.json`: a configuration of PicGo-Core. */
export function servePicGoSettings(c: AppContext): Response {
  return text(c, picGoSettings(originOf(c), { previews: siteOf(c).hasPreviews, keys: needsUploadKey(c) }), JSON_TYPE)
}

/** `GET /flameshot.sh`: a script that uploads a screenshot. */
export function serveFlameshotScript(c: AppContext): Response {
  return text(c, flameshotScript(originOf(c)), TEXT_TYPE)
}

/** `GET /postman.json`: a collection of all operations. */
export function servePostmanCollection(c: AppContext): Response {
  return text(c, postmanCollection(originOf(c)), JSON_TYPE, { headers: fileName(c, '.postman_collection.json') })
}

/** `GET /manifest.webmanifest`: the web app manifest, in the reader's language. */
export function serveManifest(c: AppContext): Response {
  const { icon192, icon512, iconMaskable, icon } = ASSETS
  const manifest = webAppManifest({
    name: SITE_NAME,
    description: messagesIn(languageOf(c)).upload.summary,
    accept: Object.values(FORMATS).map(({ mediaType }) => mediaType),
    icons: [
      { src: icon.path, sizes: 'any', type: icon.type, purpose: 'any' },
      { src: icon192.path, sizes: '192x192', type: icon192.type, purpose: 'any' },
      { src: icon512.path, sizes: '512x512', type: icon512.type, purpose: 'any' },
      { src: iconMaskable.path, sizes: '512x512', type: iconMaskable.type, purpose: 'maskable' },
    ],
  })
  return text(c, manifest, 'application/manifest+json; charset=UTF-8', { vary: 'Accept-Language' })
}

/**
 * `GET /share-worker.js`: the service worker of the share sheet. Its address does not change: browsers look there for a new
 * one.
 */
export function serveShareWorker(c: AppContext): Promise<Response> {
  return assetResponse(c, ASSETS.shareWorker)
}

/** `GET /embed.js`: the button beside the editors of other sites, in the reader's language. */
export async function serveEmbedScript(c: AppContext): Promise<Response> {
  const script = await staticText(c, ASSETS.embed.path)
  const label = inScript(messagesIn(languageOf(c)).embed.button)
  return text(c, script.replaceAll('{label}', label), ASSETS.embed.type, { vary: 'Accept-Language' })
}

/** Encodes words for any string of a script. */
function inScript(words: string): string {
  return words.replace(/[^A-Za-z0-9 ]/g, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** `GET /.well-known/api-catalog`: where the API and its descriptions are (RFC 9727). */
export function serveApiCatalog(c: AppContext): Response {
  return text(c, apiCatalog(originOf(c)), 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"')
}

/** `GET /llms.txt`: the documentation, for language models. */
export function serveLlmsTxt(c: AppContext): Response {
  return text(c, llmsTxt(originOf(c)), TEXT_TYPE)
}

/** `GET /favicon.ico`: the icon, for programs that look for it there. */
export function serveFavicon(c: AppContext): Promise<Response> {
  return assetResponse(c, ASSETS.favicon)
}

/** `GET /robots.txt`. */
export function serveRobotsTxt(c: AppContext): Response {
  return text(c, robotsTxt(), TEXT_TYPE)
}

/** `GET /.well-known/security.txt`. */
export function serveSecurityTxt(c: AppContext): Response {
  return text(c, securityTxt(originOf(c), c.env.SECURITY_CONTACT, nowMs(c.env)), TEXT_TYPE)
}

/** The origin of the pages on the request's domain. */
function originOf(c: AppContext): string {
  return c.var.host.site.pages
}

function fileName(c: AppContext, extension: string): Record<string, string> {
  return { 'Content-Disposition': `attachment; filename="${new URL(originOf(c)).hostname}${extension}"` }
}
