import { Hono } from 'hono'
import type { Bindings } from './env.ts'
import { serveAsset } from './http/assets.ts'
import { type AppEnv, requestContext } from './http/context.ts'
import { allowAnyOrigin, answerPreflight } from './http/cors.ts'
import { serveErrors, serveOpenApi, serveQuickStart, serveReference } from './http/docs.ts'
import { jsonFailure, refuseEndpoint, textFailure } from './http/failures.ts'
import { createGallery, finalizeGallery } from './http/galleries.ts'
import { type HostRole, resolveHost } from './http/hosts.ts'
import { checkImageStatus, refuseStatusMethod } from './http/image-status.ts'
import { serveManagePage, submitManagePage } from './http/manage-pages.ts'
import { deleteContent, renameContent } from './http/management.ts'
import { serveOriginal, serveThumbnail } from './http/media.ts'
import { serveOembed } from './http/oembed.ts'
import { dismissContent, forOperator, listOpenReports, removeContent } from './http/operator.ts'
import { pageFailure } from './http/page-response.ts'
import { serveGalleryCodes, serveGalleryPage, serveHome, serveNotFound, serveShowPage } from './http/pages.ts'
import { serveReportPage, submitReportPage } from './http/report-pages.ts'
import {
  serveFlameshotScript,
  serveManifest,
  servePicGoSettings,
  servePostmanCollection,
  serveRobotsTxt,
  serveSecurityTxt,
  serveShareXUploader,
  serveToolsPage,
} from './http/settings.ts'
import { uploadFromPage } from './http/upload-page.ts'
import { uploadCover, uploadImage } from './http/uploads.ts'

/** Uploads and finalize: their errors are one sentence of plain text (D21). */
const uploads = new Hono<AppEnv>()
  .onError((error, c) => textFailure(c, error))
  .post('/images', uploadImage)
  .post('/covers', uploadCover)
  .post('/galleries/:hash/finalize', finalizeGallery)

/** All other operations, and whatever else is asked of an operation's path (D19): their errors are ApiError JSON. */
const operations = new Hono<AppEnv>()
  .onError((error, c) => jsonFailure(c, error))
  .post('/galleries', createGallery)
  .post('/images/status', checkImageStatus)
  .post('/management/:token/rename', renameContent)
  .post('/management/:token/delete', deleteContent)
  .on('OPTIONS', operationPaths(), answerPreflight)
  .all('/images/status', refuseStatusMethod)
  .on('ALL', operationPaths(), refuseEndpoint)

const pages = new Hono<AppEnv>()
  .onError((error, c) => pageFailure(c, error))
  .get('/', serveHome)
  .post('/upload', uploadFromPage)
  .get('/assets/:file', serveAsset)
  .get('/show/:directory/:file', serveShowPage)
  .get('/gallery/:hash', serveGalleryPage)
  .get('/gallery/:hash/codes', serveGalleryCodes)
  .get('/manage/:token', serveManagePage)
  .post('/manage/:token', submitManagePage)
  .get('/report', serveReportPage)
  .post('/report', submitReportPage)
  .get('/docs', serveQuickStart)
  .get('/docs/reference', serveReference)
  .get('/docs/errors', serveErrors)
  .get('/tools', serveToolsPage)
  .get('/sharex.sxcu', serveShareXUploader)
  .get('/picgo.json', servePicGoSettings)
  .get('/flameshot.sh', serveFlameshotScript)
  .get('/postman.json', servePostmanCollection)
  .get('/manifest.webmanifest', serveManifest)
  .get('/robots.txt', serveRobotsTxt)
  .get('/.well-known/security.txt', serveSecurityTxt)

/** What programs ask for beside the published operations: how to embed a page, and what the operator sees and judges. */
const besides = new Hono<AppEnv>()
  .onError((error, c) => jsonFailure(c, error))
  .get('/oembed', serveOembed)
  .get('/operator/reports', forOperator(listOpenReports))
  .post('/operator/remove', forOperator(removeContent))
  .post('/operator/dismiss', forOperator(dismissContent))

/** What the API says of itself, on each host that answers it. */
const description = new Hono<AppEnv>().onError((error, c) => jsonFailure(c, error)).get('/openapi.json', serveOpenApi)

const thumbnails = new Hono<AppEnv>()
  .onError((error, c) => textFailure(c, error))
  .get('/thumbs/:directory/:file', serveThumbnail)

const originals = new Hono<AppEnv>()
  .onError((error, c) => textFailure(c, error))
  .get('/images/:directory/:file', serveOriginal)

/** What each kind of host answers (D4). */
const APPS: Record<HostRole, Hono<AppEnv>> = {
  everything: serving(uploads, operations, description, pages, besides, thumbnails, originals),
  api: serving(uploads, operations, description),
  thumbnails: serving(thumbnails),
  originals: serving(originals),
}

/** Answers a request as the host it was sent to does. */
export function answer(request: Request, env: Bindings, ctx: ExecutionContext): Response | Promise<Response> {
  const host = resolveHost(request, env)
  return APPS[host.role].fetch(request, { ...env, host }, ctx)
}

function serving(...parts: Hono<AppEnv>[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(requestContext, allowAnyOrigin)
  for (const part of parts) app.route('/', part)
  app.get('*', serveNotFound)
  app.all('*', refuseEndpoint)
  app.onError((error, c) => jsonFailure(c, error))
  return app
}

function operationPaths(): string[] {
  return [
    '/images',
    '/covers',
    '/images/status',
    '/galleries',
    '/galleries/:hash/finalize',
    '/management/:token/rename',
    '/management/:token/delete',
  ]
}
